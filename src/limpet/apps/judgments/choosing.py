"""Which cases a run goes over, by mode and resume strategy.

`full`    every active case that is not on the disk yet.
`new`     of these, the ones first seen since the last run that went over everything: a crash, a failure or a limit
          never makes a case old before it was tried.
`resume`  of these, the ones earlier runs left: what the strategy names.

none               earlier runs are not looked at.
retry_failed_only  only cases whose last job, in whatever run of the source, failed.
redo_in_progress   only cases whose last job was planned or begun and then abandoned. Their process is gone: a lock
                   tells at once here, silence for longer than the stale threshold elsewhere.
auto               both of these.

What is on the disk is never asked for again, whatever the mode; what the ledger has and the disk lost is. A file of
another size than the one on record is lost. One named by its token is read: its hash must be the one on record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Connection, func, select

from limpet.apps.judgments.errors import CaseNotInIndex
from limpet.apps.judgments.options import options_of
from limpet.apps.judgments.params import ResumeStrategy
from limpet.apps.judgments.shelf import stands_whole
from limpet.apps.judgments.standing import CaseStanding
from limpet.apps.judgments.tables import judgment_runs
from limpet.apps.judgments.tokens import normalize_action_token
from limpet.record.tables import runs
from limpet.source import Source
from limpet.target.outcome import Mode, RunState

_BY_STRATEGY: dict[ResumeStrategy, Callable[[CaseStanding], bool]] = {
    "none": lambda case: True,
    "retry_failed_only": lambda case: case.failed_last,
    "redo_in_progress": lambda case: case.was_left_open,
    "auto": lambda case: case.failed_last or case.was_left_open,
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants gone over."""

    mode: Mode
    strategy: ResumeStrategy
    seen_before: int = 0  # cases of this version and older are not new
    tokens: tuple[str, ...] = ()
    include_criminal: bool = False


def wish_of(
    connection: Connection, source: Source, *, mode: Mode, strategy: ResumeStrategy, tokens: Iterable[str]
) -> Wish:
    """Return the wish as the ledger and the source's options complete it."""
    return Wish(
        mode,
        strategy,
        seen_before=version_gone_over(connection, source.id),
        tokens=tuple(tokens),
        include_criminal=options_of(source).include_criminal,
    )


@dataclass(slots=True)
class Choice:
    """What was chosen, and how many were left out and why."""

    chosen: list[CaseStanding] = field(default_factory=list)
    total: int = 0
    criminal: int = 0
    downloaded: int = 0


def choose(standings: Iterable[CaseStanding], wish: Wish, data_dir: Path) -> Choice:
    """Choose among the active cases; raise CaseNotInIndex for a token nobody knows."""
    choice = Choice()
    wanted = {normalize_action_token(token): token for token in wish.tokens}
    unknown = dict(wanted)
    for case in standings:
        choice.total += 1
        if wanted and case.token_norm not in wanted:
            continue
        unknown.pop(case.token_norm, None)
        if case.is_criminal and not wish.include_criminal:
            choice.criminal += 1
        elif stands_whole(case, data_dir, thoroughly=bool(wanted)):
            choice.downloaded += 1
        elif _is_wanted(case, wish):
            choice.chosen.append(case)
    if unknown:
        raise CaseNotInIndex(
            f"The index names no {next(iter(unknown.values()))!r}.",
            fix="Tokens stand in the Actions column; `limpet judgments sync` brings the newest index.",
        )
    return choice


def _is_wanted(case: CaseStanding, wish: Wish) -> bool:
    if wish.mode is Mode.NEW and (case.path is not None or case.first_seen_version_id <= wish.seen_before):
        return False
    return _BY_STRATEGY[wish.strategy](case)


def version_gone_over(connection: Connection, source: str) -> int:
    """Return the version of the last completed run that left nothing new out; 0 when there is none."""
    question = (
        select(func.max(judgment_runs.c.csv_version_id))
        .join(runs, runs.c.id == judgment_runs.c.run_id)
        .where(
            judgment_runs.c.source == source,
            judgment_runs.c.is_limited.is_(False),
            runs.c.state == RunState.COMPLETED.value,
            runs.c.mode.in_([Mode.FULL.value, Mode.NEW.value]),
        )
    )
    return int(connection.execute(question).scalar_one() or 0)
