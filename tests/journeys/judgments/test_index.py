"""A court's index: asked for conditionally, checked, kept version by version, and never believed blindly."""

from __future__ import annotations

from functools import partial

import pytest

from limpet.apps.judgments.browsing import listed_cases
from limpet.apps.judgments.case_filter import CaseFilter
from limpet.apps.judgments.errors import IndexUnusable
from limpet.apps.judgments.index.fetching import IndexDesk
from limpet.apps.judgments.index.sync import CsvSyncResult, IndexSync
from limpet.apps.judgments.sites import COURTS
from limpet.assembly import House
from limpet.fetch import Trail

INDEX = "/wp-content/uploads/box_files/judgments.csv"
FACTS = "title, neutral_citation, cause_number, judgment_date, subject, court, category, is_criminal"


async def sync(house: House, source: str = "unreported_judgments", **wishes: bool) -> CsvSyncResult:
    known = house.catalogue.get(source)
    way = house.desk.way(known, house.sites.get(known.site), Trail())
    desk = IndexDesk(way.plain, COURTS[known.site], known, house.clock, house.desk.retry)
    return await IndexSync(desk, house.ledger).sync(**wishes)


async def test_every_row_is_understood_as_the_court_means_it(courthouse, archive) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        result = await sync(house)
        found = await archive.rows(house, f"SELECT action_token_raw AS token, {FACTS} FROM cases")
        (version,) = await archive.rows(house, "SELECT * FROM csv_versions")

    truth = courthouse.court.published()
    assert {row["token"] for row in found} == set(truth)
    for row in found:
        facts = truth[row["token"]]
        assert row == {
            name: facts[name] or None if name != "is_criminal" else int(facts[name]) for name in row
        }
    whole = courthouse.court.truth(INDEX, tick=0)
    assert (version["row_count"], version["blank_count"]) == (whole["rows"], whole["blank"])
    assert (version["case_count"], version["criminal_count"]) == (whole["cases"], whole["criminal"])
    assert version["duplicate_count"] == whole["repeated"]
    assert len(result.new_case_ids) == whole["cases"]
    assert (courthouse.data_dir / version["file_path"]).read_bytes().startswith(b"\xef\xbb\xbf")


async def test_an_unchanged_index_is_one_304_and_no_version(courthouse, archive) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        first = await sync(house)
        second = await sync(house)
        versions = await archive.rows(house, "SELECT id, checks FROM csv_versions")

    assert [visit.status for visit in courthouse.visits("court", INDEX)] == [200, 304]
    assert second.is_unchanged
    assert second.version_id == first.version_id
    assert versions == [{"id": first.version_id, "checks": 2}]


async def test_the_same_content_without_validators_is_the_same_version(courthouse, archive, fault) -> None:
    courthouse.write_config()
    fault("court", "csv_other_headers", path=INDEX)  # served without ETag and Last-Modified

    async with courthouse.open() as house:
        await sync(house)
        again = await sync(house)
        (counted,) = await archive.rows(house, "SELECT count(*) AS n FROM csv_versions")

    assert [visit.status for visit in courthouse.visits("court", INDEX)] == [200, 200]
    assert again.is_unchanged
    assert counted["n"] == 1
    assert len(list((courthouse.data_dir / "csv").iterdir())) == 1


async def test_other_column_names_in_another_order_mean_the_same(courthouse, fault) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        await sync(house)
        fault("court", "csv_other_headers", path=INDEX)
        courthouse.court.move(add=1)
        moved = await sync(house)

    assert (len(moved.new_case_ids), moved.changed_case_ids, moved.removed_case_ids) == (1, [], [])


async def test_another_order_of_the_rows_changes_nothing(courthouse, fault) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        await sync(house)
        courthouse.court.move(add=1)
        fault("court", "csv_shuffled", path=INDEX)
        moved = await sync(house)

    assert (len(moved.new_case_ids), moved.changed_case_ids, moved.removed_case_ids) == (1, [], [])


async def test_changes_are_told_field_by_field_and_nothing_is_forgotten(courthouse, archive) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        first = await sync(house)
        moved = courthouse.court.move(add=4, change=3, remove=2)
        second = await sync(house)
        back = courthouse.court.move(readd=1)
        third = await sync(house)
        history = await archive.rows(
            house,
            "SELECT action_token_raw AS token, kind, field, old_value, new_value, version_id "
            "FROM case_changes JOIN cases ON cases.id = case_id ORDER BY case_changes.id",
        )
        removed = await archive.rows(house, "SELECT last_seen_version_id FROM cases WHERE is_active = 0")

    assert [len(second.new_case_ids), len(second.changed_case_ids), len(second.removed_case_ids)] == [4, 3, 2]
    changed = [row for row in history if row["kind"] == "changed"]
    assert {row["token"] for row in changed} == set(moved["changed"])
    assert all(row["old_value"] != row["new_value"] and row["field"] for row in changed)
    gone = {row["token"] for row in history if row["kind"] == "removed"}
    assert gone == set(moved["removed"])
    assert [row["token"] for row in history if row["kind"] == "reappeared"] == back["readded"]
    assert (third.new_case_ids, len(third.reappeared_case_ids)) == ([], 1)
    # Last seen is the version a case last stood in, not the one it was missing from.
    assert removed == [{"last_seen_version_id": first.version_id}]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("csv_without_header", "no Actions column"),
        ("csv_without_actions", "no Actions column"),
        ("csv_is_html", "HTML"),
        ("csv_header_only", "no rows"),
    ],
)
async def test_what_is_no_index_is_recorded_and_changes_nothing(
    courthouse, archive, fault, name, sentence
) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        good = await sync(house)
        before = await archive.rows(house, "SELECT * FROM cases")
        courthouse.court.move(add=3)
        fault("court", name, path=INDEX)
        fallen_back = await sync(house)
        again = await sync(house)
        versions = await archive.rows(house, "SELECT * FROM csv_versions ORDER BY id")

        assert await archive.rows(house, "SELECT * FROM cases") == before

    assert (fallen_back.is_fallback, fallen_back.version_id) == (True, good.version_id)
    assert again.version_id == good.version_id
    assert [version["valid"] for version in versions] == [1, 0]  # twice the same trouble is one row
    if name != "csv_is_html":  # recognised as a maintenance page before it came to be an index
        assert sentence in versions[1]["error_message"]
        assert (courthouse.data_dir / versions[1]["file_path"]).exists()


async def test_an_index_that_cannot_be_had_is_recorded_and_the_last_good_one_stands(
    courthouse, archive, fault
) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        good = await sync(house)
        fault("court", "server_error_500", path=INDEX)
        fallen_back = await sync(house)
        invalid = await archive.rows(house, "SELECT error_code, sha256 FROM csv_versions WHERE valid = 0")

    assert (fallen_back.is_fallback, fallen_back.version_id) == (True, good.version_id)
    assert invalid == [{"error_code": "fetch.server_fault", "sha256": ""}]


async def test_without_any_good_index_there_is_nothing_to_go_by(courthouse, archive, fault) -> None:
    courthouse.write_config()
    fault("court", "csv_without_actions", path=INDEX)

    async with courthouse.open() as house:
        with pytest.raises(IndexUnusable):
            await archive.scrape(house)
        (run,) = await house.ledger.runs()

    assert (run.state.value, run.error_code) == ("failed", "index.unusable")
    assert courthouse.asked_at_the_desk() == 0


async def test_when_too_much_vanishes_nothing_does_until_a_person_says_so(courthouse, archive, fault) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        good = await sync(house)
        fault("court", "csv_mostly_gone", path=INDEX)
        held = await sync(house)
        still_held = await sync(house)
        active = await archive.rows(house, "SELECT count(*) AS n FROM cases WHERE is_active = 1")
        alerts = await archive.rows(
            house, "SELECT payload FROM events WHERE event_type = 'alert_mass_deactivation'"
        )
        accepted = await sync(house, accept_removals=True)
        versions = await archive.rows(house, "SELECT is_held, removed_count FROM csv_versions ORDER BY id")

    assert (held.is_held, held.version_id) == (True, good.version_id)
    assert (still_held.is_held, len(alerts)) == (True, 1)
    assert active[0]["n"] == len(good.new_case_ids)
    assert len(accepted.removed_case_ids) == versions[1]["removed_count"] > 0.2 * len(good.new_case_ids)
    assert [bool(version["is_held"]) for version in versions] == [False, False]


async def test_half_an_index_is_never_taken_for_all_of_it(courthouse, archive, fault) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        good = await sync(house)
        fault("court", "csv_cut_short", path=INDEX)
        cut = await sync(house)
        gone = await archive.rows(house, "SELECT id FROM cases WHERE is_active = 0")

    assert (cut.is_fallback, cut.version_id, gone) == (True, good.version_id, [])


async def test_the_same_list_of_filings_is_one_version_although_every_page_differs(
    courthouse, archive
) -> None:
    courthouse.write_config(courthouse.source("public_registers"))

    async with courthouse.open() as house:
        first = await sync(house, "public_registers")
        again = await sync(house, "public_registers")
        filed = courthouse.court.file(count=2)
        second = await sync(house, "public_registers")
        found = await archive.rows(
            house, "SELECT action_token_raw AS token, cause_number, judgment_date, title, category FROM cases"
        )

    assert again.is_unchanged
    assert (len(second.new_case_ids), second.removed_case_ids) == (2, [])
    assert second.version_id != first.version_id
    truth = {filing.token: filing for filing in courthouse.court.registers.filings}
    assert set(filed) <= set(truth) == {row["token"] for row in found}
    for row in found:
        filing = truth[row["token"]]
        assert row["judgment_date"] == filing.filed_on.isoformat()
        assert (row["cause_number"], row["title"], row["category"]) == (
            filing.cause_number,
            filing.title,
            filing.register,
        )


async def test_a_corrected_case_is_found_by_what_the_index_says_now(courthouse, archive) -> None:
    courthouse.write_config()

    async with courthouse.open() as house:
        await sync(house)
        courthouse.court.move(add=1, change=3, remove=0)
        await sync(house)
        searched = await archive.rows(
            house, "SELECT c.action_token_raw AS token, c.title, c.subject, s.searched FROM cases c "
            "JOIN case_searches s ON s.id = c.id"
        )  # fmt: skip
        known = await archive.rows(house, "SELECT id FROM cases")
        changed = await archive.rows(
            house,
            "SELECT case_id, new_value FROM case_changes WHERE kind = 'changed' AND field <> 'category'",
        )
        found = [
            await house.ledger.read(partial(listed_cases, wanted=CaseFilter(search=row["new_value"].upper())))
            for row in changed
        ]

    assert len(searched) == len(known)
    assert all((row["title"] or "").lower() in row["searched"] for row in searched)
    assert changed
    for row, cases in zip(changed, found, strict=True):
        assert row["case_id"] in [each.case.id for each in cases]
