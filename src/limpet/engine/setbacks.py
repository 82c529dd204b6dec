"""Runs that could not be walked: told once with what to do, then left alone longer each time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import structlog

from limpet.clock import Clock
from limpet.engine.backoff import Backoff
from limpet.errors import LimpetError, UnknownSource, leaves
from limpet.record.alerts import alive_of_kind
from limpet.record.entry import Run
from limpet.record.ledger import Ledger

_log = structlog.get_logger("limpet.service")
_FIRST_SECONDS = 10.0
# What passes by itself, a full disk or a database that went away, is then noticed soon enough.
_LONGEST_SECONDS = 300.0
KIND = "run_stuck"


@dataclass(slots=True)
class Setbacks:
    """Remembers which runs failed us and how; a process that begins anew tries each of them at once."""

    ledger: Ledger
    clock: Clock
    _backoff: Backoff = field(default_factory=lambda: Backoff(longest_seconds=_LONGEST_SECONDS))
    _told: dict[int, str] = field(default_factory=dict)

    def holds(self, run: Run) -> bool:
        """Whether it is too early to try this run again."""
        return self._backoff.holds(str(run.id), self.clock.now())

    async def note(self, run: Run, errors: BaseExceptionGroup[LimpetError]) -> None:
        """Leave the run alone for a while; say why when it is news."""
        key = str(run.id)
        self._backoff.refused(key, _FIRST_SECONDS, now=self.clock.now())
        causes = _causes(errors)
        sentence, again_in = " ".join(map(str, causes)), self._backoff.seconds(key)
        if self._told.get(run.id) == sentence:
            _log.info("run_still_stuck", run_id=run.id, again_in_seconds=again_in)
            return
        self._told[run.id] = sentence
        fix = _fix(run, causes[0])
        _log.error("run_failed", run_id=run.id, message=sentence, fix=fix, again_in_seconds=again_in)
        if not all(cause.retryable for cause in causes):
            await self._alert(run, details=sentence, fix=fix)

    async def clear(self, run: Run) -> None:
        """The run could be walked; whatever was said about it is over, also when another process said it."""
        self._backoff.accepted(str(run.id))
        self._told.pop(run.id, None)
        subject = _subject(run)
        with suppress(LimpetError):
            known = await self.ledger.read(partial(alive_of_kind, kind=KIND))
            if any(alert.subject == subject for alert in known):
                await self._log("run_goes_on", run, {"subject": subject})

    async def _alert(self, run: Run, **said: str) -> None:
        with suppress(LimpetError):  # the ledger may be what failed; the log has said it
            await self._log(f"alert_{KIND}", run, {"subject": _subject(run), **said})

    async def _log(self, event_type: str, run: Run, payload: dict[str, str]) -> None:
        await self.ledger.log_event(event_type, run_id=run.id, source_id=run.source_id, payload=payload)


def _causes(errors: BaseExceptionGroup[LimpetError]) -> Sequence[LimpetError]:
    """Return what really went wrong, each thing once: every lane of a run may say the same."""
    found = [each for each in leaves(errors) if isinstance(each, LimpetError)]
    return list({str(each): each for each in found}.values())


def _fix(run: Run, cause: LimpetError) -> str:
    if isinstance(cause, UnknownSource):
        return (
            "Put the source back into the config file and start again, or cancel the run on its page "
            f"(/runs/{run.id}). {cause.fix}"
        )
    return cause.fix


def _subject(run: Run) -> str:
    return f"run {run.id}"
