"""`limpet dockets probe`: the last number of a year, with few questions."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limpet.cli import event_loop
from limpet.cli.docketing.choosing import NAME, register_of
from limpet.cli.opening import open_house

if TYPE_CHECKING:
    from limpet.apps.dockets.bounds import Register
    from limpet.apps.dockets.upper_bound import ProbeTerms, UpperBound
    from limpet.assembly import House
    from limpet.extract.parse.case_number import CaseNumber
    from limpet.record.entry import Settlement


def probe(
    *,
    year: Annotated[str, typer.Option(help="Year of the numbers, such as 25.")],
    prefix: Annotated[str, typer.Option(help="The register: IMM, T, A ...")] = "IMM",
    budget: Annotated[int, typer.Option(min=1, help="Ask for at most so many numbers.")] = 200,
    window: Annotated[int, typer.Option(min=1, help="Look so far past the last hit for more.")] = 650,
    stride: Annotated[int, typer.Option(min=1, help="In that window, ask for every so many-th number.")] = 7,
    fresh_for: Annotated[
        float, typer.Option(metavar="HOURS", min=0, help="How long the answer is believed.")
    ] = 168.0,
    again: Annotated[
        bool, typer.Option("--again", help="Look anew although the last answer is fresh.")
    ] = False,
    source: Annotated[str | None, typer.Option(help="Which source, when there are several.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> int:
    """Find the last number of a year. Every probe is a case asked for and recorded, never asked for twice.

    Numbers have holes, so a miss proves nothing: past the last hit, every seventh number of the next 650 is asked
    for. A hole of up to 600 does not end the search as long as seven numbers in a row follow it. The answer is
    kept for a week and used by `limpet run dockets --year` without --max-cases.

    Exits 1 when the budget was spent before the end was proven; asking again goes on from there.

    \b
    Examples:
      limpet dockets probe --year 25
      limpet dockets probe --year 24 --prefix T --budget 400 --window 1300
    """
    from limpet.apps.dockets.upper_bound import ProbeTerms  # noqa: PLC0415 - help need not wait for it

    terms = ProbeTerms(window=window, stride=stride, budget=budget)
    asked = _Asked(prefix, year, source, timedelta(hours=fresh_for), again=again, as_json=as_json)
    return event_loop.run(asked.answer(terms))


class _Asked:
    def __init__(
        self,
        prefix: str,
        year: str,
        source: str | None,
        fresh_for: timedelta,
        *,
        again: bool,
        as_json: bool,
    ) -> None:
        self._prefix, self._year, self._source = prefix, year, source
        self._fresh_for, self._again, self._as_json = fresh_for, again, as_json
        self._probes = 0

    async def answer(self, terms: ProbeTerms) -> int:
        from limpet.apps.dockets.probing import fresh_bound  # noqa: PLC0415
        from limpet.assembly import assemble  # noqa: PLC0415

        async with assemble(open_house()) as house:
            register = register_of(house, self._source, prefix=self._prefix, year=self._year)
            known = None if self._again else await fresh_bound(house.ledger, register)
            if known is None:
                return self._tell(register, await self._probe(house, register, terms))
            told = f"found {known.found_at:%Y-%m-%d %H:%M} UTC with {known.probes} probes; --again looks anew"
            self._say(register, known.number, told, probes=0, is_proven=True)
            return 0

    async def _probe(self, house: House, register: Register, terms: ProbeTerms) -> UpperBound:
        from limpet.apps.dockets.probing import Prober  # noqa: PLC0415
        from limpet.cli.walking import refuse_if_all_shut  # noqa: PLC0415
        from limpet.engine.signals import graceful_stop  # noqa: PLC0415
        from limpet.engine.watcher import Silence  # noqa: PLC0415
        from limpet.record.entry import NewRun  # noqa: PLC0415

        app, source = house.app(NAME), house.catalogue.get(register.source_id)
        refuse_if_all_shut(house, app, source.id)
        believes_for = timedelta() if self._again else self._fresh_for
        prober = Prober(register, source, terms, self._fresh_for, believes_for, self._show)
        new = NewRun(app=NAME, source_id=source.id, params={"probe": str(register)})
        with graceful_stop(house.desk.crew.stop, drain_seconds=house.settings.drain_seconds):
            async with house.desk.stepping(new, app, Silence()) as steps:
                return await prober.probe(steps)

    def _show(self, case: CaseNumber, settlement: Settlement) -> None:
        self._probes += 1
        if not self._as_json:
            typer.echo(f"  {self._probes:>3}  {case}  {settlement.outcome.value}")

    def _tell(self, register: Register, bound: UpperBound) -> int:
        told = f"{bound.probes} probes" if bound.is_proven else f"at least: {bound.probes} probes are spent"
        self._say(register, bound.number, told, probes=bound.probes, is_proven=bound.is_proven)
        return 0 if bound.is_proven else 1

    def _say(self, register: Register, number: int, told: str, *, probes: int, is_proven: bool) -> None:
        if self._as_json:
            facts: dict[str, Any] = {"source": register.source_id, "prefix": register.prefix}
            facts |= {"year": register.year, "upper_bound": number, "probes": probes, "is_proven": is_proven}
            typer.echo(json.dumps(facts))
            return
        last = f"{register.prefix}-{number}-{register.year % 100:02d}" if number else "none"
        typer.echo(f"The last number of {register} is {last} ({told}).")
        if is_proven and number:
            typer.echo(
                f"To fetch them all: limpet run dockets --year {register.year % 100:02d}{_of(register)}"
            )


def _of(register: Register) -> str:
    return "" if register.prefix == "IMM" else f" --prefix {register.prefix}"
