"""Pages kept as plain files beside the ledger's snapshots: by default those of failures, for a person to open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from limpet.apps.dockets.account.crawl import CrawlOutcome, outcome_of
from limpet.apps.dockets.account.facts import JobFacts
from limpet.apps.dockets.account.places import OUTPUT
from limpet.errors import ConfigError
from limpet.record.durable_file import put_new_files
from limpet.record.ledger import Ledger
from limpet.source import Source

OPTION = "snapshot_files"


class SnapshotPolicy(StrEnum):
    """Whose pages become files."""

    FAILURES = "failures"
    ALL = "all"
    NONE = "none"


def policy_of(source: Source) -> SnapshotPolicy:
    """Return what the source's options ask for."""
    asked = source.options.get(OPTION, SnapshotPolicy.FAILURES.value)
    try:
        return SnapshotPolicy(asked)
    except ValueError:
        known = ", ".join(policy.value for policy in SnapshotPolicy)
        raise ConfigError(
            f"{OPTION} of source {source.id!r} cannot be {asked!r}.", fix=f"Choose one of {known}."
        ) from None


async def keep_evidence(
    ledger: Ledger, facts: Sequence[JobFacts], *, policy: SnapshotPolicy, run_id: str
) -> dict[int, str]:
    """Write the pages the policy asks for, and return where each job's stands."""
    kept: dict[int, str] = {}
    files = []
    for each in facts:
        if each.snapshot is None or not _is_wanted(each, policy):
            continue
        body = await ledger.recall(each.snapshot)
        if body is not None:
            failed = outcome_of(each.state, tries=each.attempts) is CrawlOutcome.FAILED
            folder = Path(OUTPUT) / ("html_failed" if failed else "html") / run_id
            path = folder / f"{each.case_id}{_suffix(body)}"
            files.append((ledger.data_dir / path, body))
            kept[each.id] = str(path)
    await asyncio.to_thread(put_new_files, files)
    return kept


def _is_wanted(facts: JobFacts, policy: SnapshotPolicy) -> bool:
    if policy is SnapshotPolicy.FAILURES:
        return outcome_of(facts.state, tries=facts.attempts) is CrawlOutcome.FAILED
    return policy is SnapshotPolicy.ALL


def _suffix(body: bytes) -> str:
    if body.startswith(b"%PDF-"):
        return ".pdf"
    return ".json" if body[:1] in (b"{", b"[") else ".html"
