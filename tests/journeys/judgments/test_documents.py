"""The way to a document: nonce, desk, signed address and bytes, with everything that goes wrong on it."""

from __future__ import annotations

import pytest

LISTING = "/judgments/unreported-judgments/"
AJAX = "/wp-admin/admin-ajax.php"
DOCUMENTS = "/d/1/*"


@pytest.mark.parametrize("cases", [24], indirect=True)
@pytest.mark.parametrize("refuses_softly", [False, True])
async def test_a_refused_nonce_is_replaced_once_for_everybody(courthouse, archive, refuses_softly) -> None:
    courthouse.write_config()
    courthouse.court.set_habits(refuses_softly=refuses_softly)

    async with courthouse.open() as house:
        await archive.scrape(house, limit=6)
        courthouse.court.expire_nonces()
        courthouse.court.expire_signatures()
        summary = await archive.scrape(house, concurrency=8)

        assert await archive.archived(house) == courthouse.wanted()
    assert summary.downloads_failed == 0
    # However many asked at once with the stale one, the page was fetched once more.
    assert len(courthouse.visits("court", LISTING)) == 2
    assert set(courthouse.downloads().values()) == {1}


@pytest.mark.parametrize("cases", [12], indirect=True)
@pytest.mark.parametrize(
    "habits",
    [
        {"nonce_uses": 3},
        {"fid_on_button": True},
        {"cookie_banner": False, "rows_on_a_page": 3},
        {"signature_uses": 1},
    ],
    ids=lambda habits: next(iter(habits)),
)
async def test_the_courts_habits_are_no_obstacle(courthouse, archive, habits) -> None:
    courthouse.write_config()
    courthouse.court.set_habits(**habits)

    async with courthouse.open() as house:
        summary = await archive.scrape(house, concurrency=1)

        assert await archive.archived(house) == courthouse.wanted()
    assert summary.error_counts == {}


@pytest.mark.parametrize("cases", [8], indirect=True)
@pytest.mark.parametrize(
    ("site", "name", "path"),
    [
        ("court", "ajax_minus_one_200", AJAX),
        ("court", "ajax_minus_one_403", AJAX),
        ("court", "ajax_firewall_403", AJAX),
        ("court", "ajax_zero_200", AJAX),
        ("court", "ajax_zero_400", AJAX),
        ("court", "ajax_empty", AJAX),
        ("court", "ajax_html_200", AJAX),
        ("court", "ajax_cut_json", AJAX),
        ("court", "ajax_success_false", AJAX),
        ("court", "ajax_no_address", AJAX),
        ("court", "ajax_empty_address", AJAX),
        ("court", "ajax_other_key", AJAX),
        ("court", "server_error_500", AJAX),
        ("court", "unavailable_bare", AJAX),
        ("boxcdn", "pdf_expired", DOCUMENTS),
        ("boxcdn", "pdf_is_html", DOCUMENTS),
        ("boxcdn", "pdf_cut_short", DOCUMENTS),
        ("boxcdn", "pdf_tiny", DOCUMENTS),
        ("boxcdn", "server_error_500", DOCUMENTS),
        ("box", "unauthorized_401", "/shared/*"),
    ],
)
async def test_what_goes_wrong_once_is_mended_by_itself(courthouse, archive, fault, site, name, path) -> None:
    courthouse.write_config()
    fault(site, name, path=path, times=1)

    async with courthouse.open() as house:
        await archive.scrape(house)

        assert await archive.archived(house) == courthouse.wanted()
    assert set(courthouse.downloads().values()) == {1}
    assert not list((courthouse.data_dir / "pdfs").glob(".*"))


@pytest.mark.parametrize("cases", [4], indirect=True)
@pytest.mark.parametrize(
    ("site", "name", "path", "code", "told"),
    [
        ("court", "ajax_minus_one_200", AJAX, "ajax_403", "ajax_403"),
        ("court", "ajax_minus_one_403", AJAX, "ajax_403", "ajax_403"),
        ("court", "ajax_firewall_403", AJAX, "ajax_403", "ajax_403"),
        ("court", "ajax_zero_200", AJAX, "ajax_parse_error", "ajax_parse_error"),
        ("court", "ajax_zero_400", AJAX, "ajax_parse_error", "ajax_parse_error"),
        ("court", "ajax_empty", AJAX, "ajax_parse_error", "ajax_parse_error"),
        ("court", "ajax_html_200", AJAX, "ajax_parse_error", "ajax_parse_error"),
        ("court", "ajax_cut_json", AJAX, "ajax_parse_error", "ajax_parse_error"),
        ("court", "ajax_no_address", AJAX, "ajax_parse_error", "ajax_parse_error"),
        ("court", "ajax_empty_address", AJAX, "ajax_parse_error", "ajax_parse_error"),
        ("court", "ajax_success_false", AJAX, "ajax_500", "ajax_500"),
        ("court", "server_error_500", AJAX, "ajax_500", "ajax_500"),
        ("court", "ajax_foreign_address", AJAX, "invalid_box_url", "invalid_box_url"),
        ("boxcdn", "pdf_expired", DOCUMENTS, "box_url_expired", "invalid_box_url"),
        ("boxcdn", "pdf_is_html", DOCUMENTS, "malformed_pdf", "malformed_pdf"),
        ("boxcdn", "pdf_cut_short", DOCUMENTS, "malformed_pdf", "malformed_pdf"),
        ("boxcdn", "pdf_tiny", DOCUMENTS, "malformed_pdf", "malformed_pdf"),
        ("boxcdn", "server_error_500", DOCUMENTS, "fetch.server_fault", "network_error"),
    ],
)
async def test_what_stays_wrong_is_a_failure_with_its_code_and_nothing_on_the_disk(
    courthouse, archive, fault, journey, site, name, path, code, told
) -> None:
    courthouse.write_config()
    fault(site, name, path=path)

    async with courthouse.open() as house:
        summary = await archive.scrape(house, limit=1)
        (last,) = await archive.rows(house, "SELECT error_code FROM attempts ORDER BY id DESC LIMIT 1")
        (row,) = await archive.rows(house, "SELECT status, error_code, error_message FROM downloads")
        reasons = await house.ledger.reasons(summary.run_id)
        await journey.prove(house)

    assert (summary.downloads_completed, summary.downloads_failed) == (0, 1)
    assert summary.error_counts == {told: 1}
    assert last["error_code"] == code
    assert (row["status"], row["error_code"]) == ("failed", told)
    assert row["error_message"].startswith(code)
    # Refused is the house's own word for a source; every other trouble with a document has its code.
    own_word = {"ajax_403": "blocked", "fetch.server_fault": "error"}.get(code, code)
    assert reasons == {f"failed: {own_word}": 1}
    assert list(courthouse.data_dir.glob("pdfs/*")) == []


@pytest.mark.parametrize("cases", [4], indirect=True)
async def test_a_nonce_only_a_script_can_show_is_read_in_a_browser(courthouse, archive, fault) -> None:
    courthouse.write_config()
    fault("court", "nonce_by_script", path=LISTING)

    async with courthouse.open() as house:
        await archive.scrape(house)

        assert await archive.archived(house) == courthouse.wanted()


@pytest.mark.parametrize("cases", [4], indirect=True)
async def test_a_decoy_nonce_is_never_sent(courthouse, archive, fault) -> None:
    courthouse.write_config(courthouse.source(extra="patience_seconds = 5"))
    fault("court", "nonce_missing", path=LISTING)

    async with courthouse.open() as house:
        summary = await archive.scrape(house, limit=1, max_retries=1)

    assert summary.error_counts == {"ajax_parse_error": 1}
    assert courthouse.asked_at_the_desk() == 0


@pytest.mark.parametrize("cases", [30], indirect=True)
async def test_nothing_signed_reaches_the_ledger_or_the_log(courthouse, archive, fault, capsys) -> None:
    courthouse.write_config(courthouse.source(), courthouse.source("public_registers"))
    fault("boxcdn", "pdf_cut_short", path=DOCUMENTS, times=2)
    fault("boxcdn", "pdf_expired", path=DOCUMENTS, times=2)

    async with courthouse.open() as house:
        await archive.scrape(house)
        await archive.scrape(house, target_source="public_registers", limit=5)
        (kept,) = await archive.rows(house, "SELECT box_url FROM case_files ORDER BY id DESC LIMIT 1")

    assert kept["box_url"].startswith("http://boxcdn.")
    secrets = (b"b1!", b"b1%21", b"access_token", b"signature=", b"pdb-sess")
    for path in courthouse.data_dir.rglob("*"):
        if path.is_file() and path.suffix != ".pdf":
            content = path.read_bytes()
            assert not [secret for secret in secrets if secret in content], path
    told = capsys.readouterr()
    assert not [secret for secret in secrets if secret.decode() in told.out + told.err]


@pytest.mark.parametrize("cases", [40], indirect=True)
async def test_the_registers_are_archived_by_file_number_and_access_token(
    courthouse, archive, journey
) -> None:
    courthouse.write_config(courthouse.source("public_registers"))

    async with courthouse.open() as house:
        summary = await archive.scrape(house, target_source="public_registers")
        found = await archive.archived(house)
        await journey.prove(house)

    filings = courthouse.court.registers.filings
    assert summary.downloads_completed == len(filings) == len(found)
    assert set(found) == {filing.token for filing in filings}
    assert all(
        found[f.token] == courthouse.court.truth(f"/filing/{f.token}", tick=0)["sha256"] for f in filings
    )
    assert all(visit.path.startswith("/2.0/files/") for visit in courthouse.visits("box", "/2.0"))


@pytest.mark.parametrize("cases", [12], indirect=True)
async def test_a_pause_the_origin_asks_for_is_kept_by_everybody(courthouse, archive, fault) -> None:
    courthouse.write_config()
    fault("boxcdn", "rate_limited_seconds", path=DOCUMENTS, times=1, retry_after=1)

    async with courthouse.open() as house:
        await archive.scrape(house, concurrency=8)

        assert await archive.archived(house) == courthouse.wanted()
    visits = courthouse.visits("boxcdn", "/d/1/")
    refused = next(visit for visit in visits if visit.status == 429)
    waits = [visit.arrived_monotonic - refused.finished_monotonic for visit in visits]
    # Seven others may have been on their way already when the answer reached us; nobody set out after it.
    assert len([wait for wait in waits if 0 < wait < 1.0]) <= 7
    assert max(waits) >= 1.0


@pytest.mark.parametrize("cases", [6], indirect=True)
async def test_documents_go_to_the_disk_without_being_held_in_memory(
    courthouse, archive, monkeypatch
) -> None:
    courthouse.write_config(courthouse.source(extra="max_bytes = 33554432"))
    big = b"%PDF-1.4\n" + b"judgment " * 2_000_000 + b"\n%%EOF\n"
    monkeypatch.setattr(courthouse.court, "document", lambda number: big)
    monkeypatch.setattr(courthouse.pool.site("boxcdn"), "_document", lambda number: big)

    async with courthouse.open() as house:
        await archive.scrape(house, limit=1)
        (row,) = await archive.rows(house, "SELECT file_size_bytes FROM downloads")
        (noted,) = await archive.rows(house, "SELECT max(bytes_received) AS n FROM requests")
        (snapshots,) = await archive.rows(house, "SELECT count(*) AS n FROM snapshots")

    assert row["file_size_bytes"] == noted["n"] == len(big)
    assert snapshots["n"] == 0  # the file itself is the evidence
