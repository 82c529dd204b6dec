"""The archive as a whole: every judgment once, byte for byte, and afterwards only what is new."""

from __future__ import annotations

import pytest

HISTORY = 2_700


async def test_every_judgment_is_archived_once_on_either_database(
    anywhere, courthouse, archive, journey
) -> None:
    courthouse.write_config(courthouse.source(), courthouse.source("public_registers"))
    async with courthouse.open() as house:
        await archive.scrape(house)
        assert await archive.archived(house) == courthouse.wanted()

        courthouse.court.move(add=7, change=5, remove=3)
        second = await archive.scrape(house, mode="new")
        courthouse.court.move(readd=2, change=1)
        third = await archive.scrape(house, mode="resume", resume_strategy="none")
        registers = await archive.scrape(house, target_source="public_registers", limit=4)

        assert second.downloads_completed == second.cases_targeted == 7
        assert third.cases_targeted == 0  # what comes back was on the disk all along
        assert registers.downloads_completed == 4
        versions = await archive.rows(
            house,
            "SELECT new_count, changed_count, removed_count, reappeared_count FROM csv_versions "
            "WHERE source = 'unreported_judgments' AND valid = 1 ORDER BY id",
        )
        assert [tuple(row.values()) for row in versions] == [(60, 0, 0, 0), (7, 5, 3, 0), (0, 1, 0, 2)]
        await journey.prove(house)
    assert set(courthouse.downloads().values()) == {1}


async def test_a_query_written_from_the_seed_works_on_either_database(
    anywhere, courthouse, archive, fault
) -> None:
    courthouse.write_config()
    fault("court", "ajax_success_false", path="/wp-admin/admin-ajax.php", times=1)

    async with courthouse.open() as house:
        await archive.scrape(house, max_retries=1, concurrency=1, limit=10)
        downloads = await archive.rows(
            house,
            "SELECT id, run_id, case_id, status, attempt_count, last_attempt_at, file_path, file_size_bytes, "
            "box_url_last, error_code, error_message, created_at, updated_at FROM downloads ORDER BY id",
        )
        (run,) = await archive.rows(
            house,
            "SELECT id, started_at, ended_at, trigger, mode, csv_version_id, params_json, status, error_summary "
            "FROM judgment_scrapes ORDER BY started_at DESC",
        )
        (new,) = await archive.rows(
            house,
            "SELECT count(*) AS n FROM cases WHERE first_seen_version_id = 1 AND is_active = 1 AND is_criminal = 0",
        )
        (version,) = await archive.rows(house, "SELECT * FROM csv_versions WHERE valid = 1")

    assert [row["status"] for row in downloads] == ["failed", *["downloaded"] * 9]
    assert [row["attempt_count"] for row in downloads] == [1] * 10
    assert (downloads[0]["error_code"], downloads[0]["file_path"]) == ("ajax_500", None)
    assert all((courthouse.data_dir / "pdfs" / row["file_path"]).is_file() for row in downloads[1:])
    assert all(row["box_url_last"].startswith("http://boxcdn.") for row in downloads[1:])
    assert (run["trigger"], run["mode"], run["status"]) == ("cli", "full", "completed")
    assert '"limit"' in run["params_json"]
    assert new["n"] == len(courthouse.wanted())
    assert len(version["sha256"]) == 64


@pytest.mark.timeout(600)
@pytest.mark.parametrize("cases", [HISTORY], indirect=True)
async def test_a_whole_history_and_then_an_update_of_thirty(courthouse, archive, journey) -> None:
    courthouse.write_config()
    async with courthouse.open() as house:
        first = await archive.scrape(house)

        assert await archive.archived(house) == courthouse.wanted()
        assert first.downloads_completed == first.cases_targeted == len(courthouse.wanted())
        assert set(courthouse.downloads().values()) == {1}

        moved = courthouse.court.move(add=30, change=5, remove=3)
        before = set(courthouse.downloads())
        second = await archive.scrape(house, mode="new")

        assert second.downloads_completed == second.cases_targeted == 30
        fetched = set(courthouse.downloads()) - before
        assert fetched == {courthouse.court.docket.document_of(token) for token in moved["added"]}
        assert set(courthouse.downloads().values()) == {1}
        await journey.prove(house)
