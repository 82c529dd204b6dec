"""What the bundle says to whoever opens it: what happened, what is certain, and what to do step by step."""

from __future__ import annotations

import json
from collections.abc import Iterator

from limpet.observe.repair.findings import Candidate, Findings, PlaceFinding, ReadAs


def readme(findings: Findings, *, case: str) -> str:
    """Return the first page of the bundle."""
    parts = [
        f"# Repair bundle: {findings.site_id} {findings.site_version}",
        _opening(findings),
        *_section(
            "What must not be guessed", [f"- {each}" for each in (*findings.remarks, *findings.doubts)]
        ),
        *_section("The two pages", [*_page("last good", findings.good), *_page("first bad", findings.bad)]),
        *_section("What was lost", list(_lost(findings))),
        *_section("Tried", list(_tried(findings))),
        *_section("What to do", list(_steps(findings, case))),
        _about_the_files(findings),
    ]
    return "\n\n".join(parts) + "\n"


def structure(findings: Findings) -> str:
    """Return the structural difference of the two pages."""
    lines = [f"# How the pages of {findings.site_id} differ in structure", ""]
    if findings.likeness_percent is not None:
        lines += [f"{findings.likeness_percent} % of all names stand on both pages.", ""]
    for place in findings.lost:
        lines += [f"- `{place.name}` stood at `{place.stood or 'an unknown place'}`"]
        lines += [f"  and may stand at `{place.stands}`"] if place.stands else []
    for each in findings.differences:
        lines += ["", f"## {each.kind}", ""]
        lines += _listed("vanished", each.vanished, each.vanished_count)
        lines += _listed("appeared", each.appeared, each.appeared_count)
    if not findings.differences:
        lines += ["No difference was found, or there are no two pages to compare."]
    return "\n".join(lines) + "\n"


def _section(title: str, lines: list[str]) -> list[str]:
    return [f"## {title}\n\n" + "\n".join(lines)] if lines else []


def _opening(findings: Findings) -> str:
    counted = ", ".join(f"{count} by {reason}" for reason, count in findings.reasons.items())
    said = f"Broken now: {counted}." if counted else "No target is broken now."
    if findings.complaint:
        field = f" The field that failed first: `{findings.failing_field}`" if findings.failing_field else ""
        selector = f", read by `{findings.failing_selector}`" if findings.failing_selector else ""
        said += f" The site says: {findings.complaint}.{field}{selector}{'.' if field else ''}"
    return said


def _page(name: str, page: ReadAs | None) -> Iterator[str]:
    if page is None:
        yield f"- {name}: none is on record."
        return
    when = f"{page.fetched_at:%Y-%m-%d %H:%M} UTC" if page.fetched_at is not None else "at an unknown time"
    yield f"- {name}: job {page.job_id} of run {page.run_id}, {when}, {page.bytes} bytes, {page.url}"
    yield f"  - then ({page.then_version or 'unknown version'}): {page.then}"
    yield f"  - with the present version: {page.now}"


def _lost(findings: Findings) -> Iterator[str]:
    if not findings.places:
        yield "This site does not tell where it reads; the complaint above is all there is."
    for place in findings.lost:
        yield from _lost_place(place)
    if findings.places and not findings.lost:
        yield "Every place the site reads from still holds something: look at what stands there, not at where."


def _lost_place(place: PlaceFinding) -> Iterator[str]:
    within = f" inside `{place.within}`" if place.within else ""
    needed = "" if place.is_needed else " (a product may do without)"
    yield f"- `{place.name}`: {place.way} `{place.where}`{within} matches nothing{needed}."
    if place.held:
        yield f"  - it said {json.dumps(place.held[:100], ensure_ascii=False)}"
    for each in place.candidates:
        yield f"  - candidate: {_candidate(each)}"
    if not place.candidates:
        yield "  - no candidate was found"


def _candidate(each: Candidate) -> str:
    doubt = "" if each.is_steady else "; its name looks made by a machine and may not last"
    says = f", which says {json.dumps(each.says, ensure_ascii=False)}" if each.says else ""
    return f"{each.way} `{each.where}`{says} ({each.because}{doubt})"


def _tried(findings: Findings) -> Iterator[str]:
    if findings.general:
        yield f"- the general rules (`auto`) read the bad page as: {findings.general}"
    if findings.proof is not None:
        yield "- with the first candidate in every lost place:"
        yield from (f"  - `{name}` = `{where}`" for name, where in findings.proof.moved.items())
        yield f"  - the bad page reads as: {findings.proof.reads}"
        yield f"  - which is {'' if findings.proof.is_as_expected else 'not '}what the failing test asks for"


def _steps(findings: Findings, case: str) -> Iterator[str]:
    site, folder = findings.site_id, f"src/limpet/apps/{findings.app}/sites/{findings.site_id}"
    if findings.expected is None:
        yield "No failing test could be made; the remarks above say why."
        yield f"1. Look at `first_bad/page.txt`, or its job in the portal. Then mend `{folder}`, or leave it."
    else:
        yield f"1. Look at `fixtures/{case}/expected.json` with the bad page beside it, and correct what is not so."
        yield f"2. Copy `fixtures/{case}` into `{folder}/fixtures/`,"
        yield "   and see it fail: `make test ARGS=tests/apps/test_fixtures.py`."
        yield "   Before it is shared, cut the page down to what is read: a fixture holds facts, not a copy."
        yield f"3. Mend the selector in `{folder}/selectors.py` (or `page.py`), and raise its version. See it pass."
    yield "- A site of the config file has no fixtures: change its `[[sites]]` table, then"
    yield f"  `limpet parse FILE --site {site} --url URL`."
    yield f"- Try it on the newest recorded pages: `limpet adapters canary {site}`."
    yield f'- Switch it on: `limpet adapters enable {site} --reason "…"`. Its next run begins with twenty targets.'


def _about_the_files(findings: Findings) -> str:
    return (
        "The pages are somebody else's: data, never to be run. They are kept as text, values of tokens and signatures "
        "are taken out, and the fixture's page has no script but data. `findings.json` has all of this for programs, "
        "`structure.md` how the pages differ."
    )


def _listed(word: str, names: tuple[str, ...], count: int) -> list[str]:
    if not names:
        return []
    more = f" and {count - len(names)} more" if count > len(names) else ""
    return [f"{word} ({count}): " + ", ".join(f"`{each}`" for each in names) + more]
