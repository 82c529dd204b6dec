"""What the docket commands say: what would be asked, what failed, which years there are, and what cannot be."""

from __future__ import annotations

import json

import pytest


async def test_a_dry_run_says_what_would_be_asked_for_documents_and_for_changes(court, tmp_path) -> None:
    (tmp_path / "wanted.txt").write_text("IMM-1-25\nIMM-2-25\n")
    nothing = await court.limpet("run", "dockets", "--documents", "--dry-run")
    async with court.open() as house:
        await court.walk(house, year=2025, start=1, end=12)
        published = await court.rows(
            house, "SELECT c.number FROM docket_entries_now e JOIN docket_cases c ON c.id = e.docket_case_id "
            "WHERE e.is_published"
        )  # fmt: skip
    before = len(court.pool.log)

    documents = await court.limpet("run", "dockets", "--documents", "--dry-run")
    of_two = await court.limpet(
        "run", "dockets", "--documents", "--dry-run", "--cases", str(tmp_path / "wanted.txt")
    )
    changes = await court.limpet("run", "dockets", "--dry-run")
    extras = await court.limpet(
        "run", "dockets", "--year", "25", "--max-cases", "12", "--extras", "parties", "--dry-run"
    )

    wanted = sum(number <= 2 for (number,) in published)
    assert "0 documents of 0 cases to fetch" in nothing.out
    assert f"{len(published)} documents of " in documents.out
    assert f"{wanted} document" in of_two.out
    assert "12 cases to look at again for changes" in changes.out
    assert "12 succeeded before (with --force they are asked again, for parties)" in extras.out
    assert len(court.pool.log) == before


async def test_failures_beyond_the_highest_success_belong_to_the_account(court) -> None:
    async with court.open(retry_max_attempts=1) as house:
        await court.walk(house, year=2025, start=1, end=3)
        court.pool.set_fault("registry", "server_error_500", path=court.SEARCH)
        await court.walk(house, year=2025, start=40, end=41)

    said = await court.limpet("gaps", "dockets", "--year", "25")
    [told] = json.loads((await court.limpet("gaps", "dockets", "--json")).out)
    elsewhere = await court.limpet("gaps", "dockets", "--year", "19")
    stats = await court.limpet("dockets", "stats", "--year", "31")

    assert "2: 40-41" in said.out
    assert (told["upper_bound"], told["failed"], told["unasked"]) == (3, 2, 0)
    assert [40, 41] in told["unanswered"]
    assert "On record: 2025." in elsewhere.out and "On record: 2025." in stats.out


@pytest.mark.parametrize(
    "words",
    [
        ("run", "dockets", "--year", "25", "--max-cases", "1", "--cool-down", "inf"),
        ("run", "dockets", "--year", "25", "--max-cases", "1", "--cool-down", "nan"),
        ("run", "dockets", "--year", "25", "--max-cases", "1", "--cool-down", "1e300"),
        ("dockets", "probe", "--year", "25", "--fresh-for", "inf"),
        ("dockets", "probe", "--year", "25", "--fresh-for", "nan"),
        ("run", "dockets", "--year", "25", "--start", "99999", "--max-cases", "5"),
        ("run", "dockets", "--year", "25", "--max-cases", "99999999999999999999"),
    ],
)
async def test_what_cannot_be_is_refused_and_nobody_is_asked(court, words: tuple[str, ...]) -> None:
    said = await court.limpet(*words)

    assert said.code == 2, said.err
    assert not court.asked()


async def test_a_probe_that_found_nothing_says_so(court) -> None:
    said = await court.limpet("dockets", "probe", "--year", "1999", "--budget", "3")

    assert "No number of IMM of 1999 was found so far (all 3 probes are spent)." in said.out


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("[1, 2]", "it holds something no checkpoint does"),
        ('{"schema_version": 1}', "it lacks run_id"),
        ("not JSON", "it is not JSON"),
    ],
)
async def test_a_damaged_checkpoint_is_one_sentence(court, tmp_path, content: str, why: str) -> None:
    (tmp_path / "checkpoint.json").write_text(content)

    said = await court.limpet("run", "dockets", "--checkpoint", str(tmp_path))

    assert said.code == 2
    assert f"is damaged: {why}." in " ".join(said.err.split())
    assert "Error(" not in said.err
