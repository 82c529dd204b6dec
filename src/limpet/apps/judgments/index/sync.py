"""Brings the cases up to what the court publishes: fetched, checked, compared, and applied or held."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog
from sqlalchemy import Connection

from limpet.apps.judgments.errors import IndexUnusable
from limpet.apps.judgments.index.applying import Application, changes_of, known_cases, new_in
from limpet.apps.judgments.index.comparing import compare
from limpet.apps.judgments.index.fetching import Fetched, IndexDesk, Unchanged
from limpet.apps.judgments.index.guarding import reason_to_hold
from limpet.apps.judgments.index.reading import IndexFile, NotAnIndex
from limpet.apps.judgments.index.survey import Survey, survey
from limpet.apps.judgments.index.versions import (
    Arrival,
    Version,
    add_invalid,
    add_readable,
    last_good,
    newest,
    note_outcome,
    touch,
)
from limpet.apps.judgments.options import Options, options_of
from limpet.errors import FetchError
from limpet.extract.failure import CannotRead
from limpet.fetch.filing import StoredArtefact
from limpet.record.artefacts import note_artefact
from limpet.record.ledger import Ledger
from limpet.target import Validators

_log = structlog.get_logger("limpet.judgments")
NOT_AN_INDEX = "index_invalid"


@dataclass(frozen=True, slots=True)
class CsvSyncResult:
    """What a sync came to. `version_id` is the version the cases stand at now."""

    version_id: int
    is_new_version: bool
    new_case_ids: list[int]
    changed_case_ids: list[int]
    removed_case_ids: list[int]
    reappeared_case_ids: list[int]
    is_fallback: bool = False  # the index could not be had, read or trusted: the last good version stands
    is_held: bool = False
    problem: str = ""

    @property
    def is_unchanged(self) -> bool:
        """Whether the court publishes what it did before."""
        return not (self.is_new_version or self.is_fallback)


@dataclass(frozen=True, slots=True)
class IndexSync:
    """One source's sync."""

    desk: IndexDesk
    ledger: Ledger
    run_id: int | None = None

    @property
    def _source(self) -> str:
        return self.desk.source.id

    @property
    def _options(self) -> Options:
        return options_of(self.desk.source)

    async def sync(self, *, accept_removals: bool = False) -> CsvSyncResult:
        """Sync once. Raise IndexUnusable when there is no index to go by, not even an earlier one."""
        latest = await self.ledger.read(lambda connection: newest(connection, self._source, readable=True))
        asks_anew = latest is None or (latest.is_held and accept_removals)
        validators = latest.validators if latest is not None and not asks_anew else Validators()
        _log.info("index_sync_started", source=self._source, conditional=bool(validators))
        try:
            came = await self.desk.ask(validators)
        except FetchError as error:
            return await self._without(Arrival(self._source, self.desk.url), error.code, str(error))
        except CannotRead as error:
            return await self._without(Arrival(self._source, self.desk.url), NOT_AN_INDEX, str(error))
        result = await self._take_in(came, latest, accept_removals=accept_removals)
        _log.info("index_sync_ended", source=self._source, **_figures(result))
        return result

    async def _take_in(
        self, came: Unchanged | Fetched, latest: Version | None, *, accept_removals: bool
    ) -> CsvSyncResult:
        if isinstance(came, Unchanged):
            assert latest is not None
            return await self._unchanged(latest, Validators())
        if (
            latest is not None
            and came.draft.sha256 == latest.sha256
            and not (latest.is_held and accept_removals)
        ):
            came.draft.discard()
            return await self._unchanged(latest, came.validators)
        kept = await asyncio.to_thread(came.keep, self._source)
        arrival = Arrival(self._source, self.desk.url, kept.sha256, kept.path, came.validators)
        file = IndexFile(self.ledger.data_dir / kept.path, self._options.criminal_rule)
        try:
            found = await asyncio.to_thread(survey, file)
        except NotAnIndex as wrong:
            return await self._without(arrival, NOT_AN_INDEX, str(wrong), kept=kept, row_count=file.row_count)
        return await self._apply(arrival, kept, file, found, accept_removals=accept_removals)

    async def _unchanged(self, latest: Version, validators: Validators) -> CsvSyncResult:
        now = self.ledger.clock.now()
        before = await self.ledger.read(lambda connection: newest(connection, self._source))
        await self.ledger.write(
            lambda connection: touch(connection, latest.id, now=now, validators=validators)
        )
        if latest.is_held:
            return await self._last_good("it is held until somebody accepts what it removes", is_held=True)
        if before is not None and not before.is_valid and before.checked_at > latest.checked_at:
            await self._all_is_well(latest.id)  # what was wrong the last time is right again
        return CsvSyncResult(latest.id, False, [], [], [], [])

    async def _apply(
        self, arrival: Arrival, kept: StoredArtefact, file: IndexFile, found: Survey, *, accept_removals: bool
    ) -> CsvSyncResult:
        """Compare and apply in one transaction: what the cases are and what is recorded about it never differ."""
        now, most = self.ledger.clock.now(), self._options.most_removed

        def apply(connection: Connection) -> tuple[int, str]:
            note_artefact(connection, kept)
            changes = compare(found, known_cases(connection, self._source))
            version_id = self._version_of(connection, arrival, found)
            reason = "" if accept_removals else reason_to_hold(found, changes, most_removed=most)
            note_outcome(connection, version_id, changes, held_because=reason)
            if not reason:
                Application(connection, self._source, version_id, now).apply(file, changes)
            return version_id, reason

        version_id, reason = await self.ledger.write_once(apply)
        if reason:
            fix = f"If that is right: limpet judgments sync --source {self._source} --accept-removals"
            await self._alert("alert_mass_deactivation", version_id, reason, fix=fix)
            return await self._last_good(reason, is_held=True)
        await self._all_is_well(version_id)
        return await self.ledger.read(lambda connection: result_of(connection, version_id))

    def _version_of(self, connection: Connection, arrival: Arrival, found: Survey) -> int:
        """Return a new version, or the held one a person has just accepted."""
        last = newest(connection, arrival.source, readable=True)
        if last is not None and last.is_held and last.sha256 == arrival.sha256:
            return last.id
        return add_readable(connection, arrival, found=found, now=self.ledger.clock.now())

    async def _without(
        self,
        arrival: Arrival,
        code: str,
        message: str,
        *,
        kept: StoredArtefact | None = None,
        row_count: int = 0,
    ) -> CsvSyncResult:
        """Record that this index cannot be used; the cases stay as they are."""
        now = self.ledger.clock.now()

        def note(connection: Connection) -> int:
            if kept is not None:
                note_artefact(connection, kept)
            return add_invalid(connection, arrival, code=code, message=message, row_count=row_count, now=now)

        version_id = await self.ledger.write(note)
        await self._alert("alert_index_unusable", version_id, message)
        return await self._last_good(message)

    async def _last_good(self, problem: str, *, is_held: bool = False) -> CsvSyncResult:
        good = await self.ledger.read(lambda connection: last_good(connection, self._source))
        if good is None:
            raise IndexUnusable(
                f"The index of {self._source!r} cannot be used: {problem}",
                fix=f"Look at {self.desk.url}, then try again: limpet judgments sync --source {self._source}.",
            )
        return CsvSyncResult(
            good.id, False, [], [], [], [], is_fallback=True, is_held=is_held, problem=problem
        )

    async def _all_is_well(self, version_id: int) -> None:
        payload = {"csv_version_id": version_id}
        await self.ledger.log_event(
            "index_applied", run_id=self.run_id, source_id=self._source, payload=payload
        )

    async def _alert(self, word: str, version_id: int, message: str, **more: str) -> None:
        _log.warning(word, source=self._source, version=version_id, message=message)
        payload = {"csv_version_id": version_id, "details": message, **more}
        await self.ledger.log_event(word, run_id=self.run_id, source_id=self._source, payload=payload)


def result_of(connection: Connection, version_id: int) -> CsvSyncResult:
    """Return what a version changed when it was applied."""
    return CsvSyncResult(
        version_id,
        is_new_version=True,
        new_case_ids=new_in(connection, version_id),
        changed_case_ids=changes_of(connection, version_id, "changed"),
        removed_case_ids=changes_of(connection, version_id, "removed"),
        reappeared_case_ids=changes_of(connection, version_id, "reappeared"),
    )


def _figures(result: CsvSyncResult) -> dict[str, object]:
    return {
        "version": result.version_id,
        "is_new": result.is_new_version,
        "new": len(result.new_case_ids),
        "changed": len(result.changed_case_ids),
        "removed": len(result.removed_case_ids),
        "reappeared": len(result.reappeared_case_ids),
        "is_fallback": result.is_fallback,
    }
