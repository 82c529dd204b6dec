"""Documents that were fetched: which docket and entry each belongs to, and where its file stands."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from limpet.apps.dockets.document import CourtDocument
from limpet.apps.dockets.tables import docket_cases
from limpet.record.bulk import BulkInsert, moment_writer
from limpet.record.entry import Settlement
from limpet.target import Outcome

_DOCUMENTS = BulkInsert(
    "docket_documents",
    (
        "docket_case_id",
        "entry_id",
        "document_number",
        "sha256",
        "path",
        "size_bytes",
        "job_id",
        "stored_at",
    ),
    skip_known=True,
)


def put_documents(connection: Connection, settled: Sequence[Settlement]) -> None:
    """Note the files of these settlements; the files themselves stand on the disk already."""
    kept = [each for each in settled if each.outcome is Outcome.SUCCEEDED and each.artefacts]
    if not kept:
        return
    moment, columns = moment_writer(connection), docket_cases.c
    wanted = [each.record.case_id for each in kept]
    found = connection.execute(
        select(columns.id, columns.source_id, columns.case_id).where(columns.case_id.in_(wanted))
    )
    rows = {(row.source_id, row.case_id): row.id for row in found}
    _DOCUMENTS.run(
        connection,
        [
            (
                rows[document.source_id, document.case_id],
                document.entry_id,
                document.document_number,
                file.sha256,
                file.path,
                file.size_bytes,
                each.lease.job_id,
                moment(file.stored_at),
            )
            for each in kept
            for file in each.artefacts
            if isinstance(document := each.record, CourtDocument)
            and (document.source_id, document.case_id) in rows
        ],
    )
