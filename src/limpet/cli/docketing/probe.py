"""`limpet dockets probe`: the last number of a year, with few questions."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limpet.cli import event_loop
from limpet.cli.docketing.choosing import NAME, hours_option, register_of
from limpet.cli.opening import open_house

if TYPE_CHECKING:
    from limpet.apps.dockets.bounds import Register, RememberedBound
    from limpet.apps.dockets.errors import ProbeBroken
    from limpet.apps.dockets.upper_bound import ProbeTerms, UpperBound
    from limpet.assembly import House


def probe(
    *,
    year: Annotated[str, typer.Option(help="Year of the numbers, such as 25.")],
    prefix: Annotated[str, typer.Option(help="The register: IMM, T, A ...")] = "IMM",
    budget: Annotated[int, typer.Option(min=1, help="Ask for at most so many numbers.")] = 200,
    window: Annotated[int, typer.Option(min=1, help="Look so far past the last hit for more.")] = 650,
    stride: Annotated[int, typer.Option(min=1, help="In that window, ask for every so many-th number.")] = 7,
    fresh_for: Annotated[float, hours_option("How long the answer is believed.")] = 168.0,
    again: Annotated[
        bool, typer.Option("--again", help="Look anew although the last answer is fresh.")
    ] = False,
    source: Annotated[str | None, typer.Option(help="Which source, when there are several.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> int:
    """Find the last number of a year. Every probe is a case asked for and recorded, never asked for twice.

    Numbers have holes, so a miss proves nothing: past the last hit, every seventh number of the next 650 is asked
    for. A hole of up to 600 does not end the search as long as seven numbers in a row follow it; behind wider
    ones single numbers are tried as far as the budget goes, and the answer says how far. It is kept for a week and
    used by `limpet run dockets --year` without --max-cases.

    Exits 1 when the budget was spent before the end was proven; asking again goes on from there. A probe that was
    stopped goes on with `limpet resume`.

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

    async def answer(self, terms: ProbeTerms) -> int:
        from limpet.apps.dockets.probing import fresh_bound  # noqa: PLC0415
        from limpet.assembly import assemble  # noqa: PLC0415

        async with assemble(open_house()) as house:
            register = register_of(house, self._source, prefix=self._prefix, year=self._year)
            known = None if self._again else await fresh_bound(house.ledger, register)
            if known is None:
                return self._tell(register, await self._probe(house, register, terms))
            told = f"found {known.found_at:%Y-%m-%d %H:%M} UTC with {known.probes} probes; --again looks anew"
            self._say(register, known, told, probes=0, is_proven=True)
            return 0

    async def _probe(self, house: House, register: Register, terms: ProbeTerms) -> UpperBound:
        from limpet.apps.dockets.probing import Broken, NextNumber, ProbeWish, how_it_stands  # noqa: PLC0415
        from limpet.cli.docketing.probe_progress import Counting  # noqa: PLC0415
        from limpet.cli.walking import refuse_if_all_shut  # noqa: PLC0415
        from limpet.engine.signals import graceful_stop  # noqa: PLC0415
        from limpet.engine.watcher import Silence  # noqa: PLC0415
        from limpet.record.entry import NewRun  # noqa: PLC0415

        app, fresh_for = house.app(NAME), self._fresh_for.total_seconds()
        refuse_if_all_shut(house, app, register.source_id)
        believes_for = 0.0 if self._again else fresh_for
        wish = ProbeWish(register.prefix, register.year, terms, fresh_for, believes_for)
        run = await house.desk.plan(NewRun(NAME, register.source_id, params=wish.to_params()))
        watcher = Silence() if self._as_json else Counting()
        with graceful_stop(house.desk.crew.stop, drain_seconds=house.settings.drain_seconds):
            await house.desk.walk(run, app, watcher)
        found = await how_it_stands(run, house.ledger)
        if isinstance(found, Broken):
            raise _broken(f"{found.case_id} could not be asked for: {found.reason}", f"limpet show {run.id}")
        if isinstance(found, NextNumber):
            raise _broken("We were stopped, or the site stayed shut.", f"limpet resume {run.id}")
        return found

    def _tell(self, register: Register, bound: UpperBound) -> int:
        told = f"{bound.probes} probes" if bound.is_proven else f"all {bound.probes} probes are spent"
        self._say(register, bound, told, probes=bound.probes, is_proven=bound.is_proven)
        return 0 if bound.is_proven else 1

    def _say(
        self,
        register: Register,
        bound: UpperBound | RememberedBound,
        told: str,
        *,
        probes: int,
        is_proven: bool,
    ) -> None:
        if self._as_json:
            facts: dict[str, Any] = {"source": register.source_id, "prefix": register.prefix}
            facts |= {"year": register.year, "upper_bound": bound.number, "probes": probes}
            facts |= {"is_proven": is_proven, "sees_through": bound.sees_through}
            facts |= {"shortest_tail": bound.shortest_tail, "reached": bound.reached}
            typer.echo(json.dumps(facts))
            return
        typer.echo(f"{_last(register, bound.number, is_proven=is_proven)} ({told}).")
        if is_proven and bound.reached:
            typer.echo(_how_sure(bound))
        if is_proven and bound.number:
            typer.echo(
                f"To fetch them all: limpet run dockets --year {register.year % 100:02d}{_of(register)}"
            )


def _last(register: Register, number: int, *, is_proven: bool) -> str:
    if not number:
        return f"{register} has no number" if is_proven else f"No number of {register} was found so far"
    case = f"{register.prefix}-{number}-{register.year % 100:02d}"
    return f"The last number of {register} is {case if is_proven else f'at least {case}'}"


def _how_sure(bound: UpperBound | RememberedBound) -> str:
    return (
        f"No hole of up to {bound.sees_through} numbers hides more, unless fewer than {bound.shortest_tail} follow it; "
        f"behind wider ones, single numbers were tried up to {bound.reached}."
    )


def _broken(sentence: str, command: str) -> ProbeBroken:
    from limpet.apps.dockets.errors import ProbeBroken  # noqa: PLC0415

    return ProbeBroken(
        sentence, fix=f"See `{command}`, or probe again: what was answered is not asked twice."
    )


def _of(register: Register) -> str:
    return "" if register.prefix == "IMM" else f" --prefix {register.prefix}"
