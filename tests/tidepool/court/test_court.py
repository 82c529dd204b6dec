"""The pretend court hands out exactly what it published, to who asks the way its own page does."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from selectolax.lexbor import LexborHTMLParser

from tidepool.court.court import INDEX


async def test_every_published_judgment_can_be_had_byte_by_byte(guest) -> None:
    for token, facts in list(guest.court.published().items())[:60]:
        status, content = await guest.get(await guest.address(token))

        assert (status, sha256(content).hexdigest(), len(content)) == (200, facts["sha256"], facts["bytes"])
        assert content == guest.court.pdf(token)


async def test_no_two_documents_are_alike(guest) -> None:
    published = guest.court.published()

    assert len({facts["sha256"] for facts in published.values()}) == len(published) == 300


async def test_the_listing_shows_the_newest_rows_with_a_button_each_and_a_pager(guest) -> None:
    tree = LexborHTMLParser(await guest.page())

    buttons = [node.attributes["data-dl"] for node in tree.css("#judgment-registers tbody button[data-dl]")]
    pages = [node.attributes.get("data-dt-idx") for node in tree.css("ul.pagination button.page-link")]

    assert (
        buttons
        == [token for row in guest.court.docket.rows if row.tokens for token in row.tokens][: len(buttons)]
    )
    assert len(tree.css("#judgment-registers tbody tr")) == 25
    assert max(int(page) for page in pages if page and page.isdecimal()) == 11
    assert tree.css_first("li.dt-paging-button.active button").text() == "1"


async def test_another_page_of_the_listing_shows_other_rows(guest) -> None:
    first, second = await guest.page(), await guest.page("/judgments/unreported-judgments/?dt_page=1")

    assert (
        LexborHTMLParser(first).css_first("[data-dl]").attributes
        != LexborHTMLParser(second).css_first("[data-dl]").attributes
    )


async def test_a_visitor_gets_a_cookie_once_and_keeps_his_nonce(guest) -> None:
    cookie, nonce = guest.cookie, guest.nonce

    await guest.page()

    assert cookie.startswith("pdb-sess=")
    assert (guest.cookie, guest.nonce) == (cookie, nonce)


@pytest.mark.parametrize(
    ("instead", "status", "body"),
    [
        ({"security": "0123456789"}, 403, "-1"),
        ({"action": "download"}, 400, "0"),
        ({"fname": "NOSUCHTOKEN"}, 200, '{"success":false,"data":"File not found"}'),
        ({"fid": "12345"}, 200, '{"success":false,"data":"File not found"}'),
    ],
)
async def test_the_desk_says_no_as_wordpress_does(guest, instead, status, body) -> None:
    token = next(iter(guest.court.published()))

    assert await guest.ask(token, **instead) == (status, body)


async def test_the_decoy_nonce_and_another_visitors_nonce_are_refused(guest) -> None:
    token = next(iter(guest.court.published()))
    decoy = (await guest.page()).partition('"_nonce":"')[2][:10]

    assert (await guest.ask(token, security=decoy))[0] == 403
    guest.cookie = "pdb-sess=somebodyelse"
    assert (await guest.ask(token))[0] == 403


async def test_the_index_is_unchanged_until_something_moves(guest) -> None:
    _, before, headers = await guest.index()

    same, _, _ = await guest.index(**{"If-None-Match": headers["ETag"]})
    unmodified, _, _ = await guest.index(**{"If-Modified-Since": headers["Last-Modified"]})
    moved = guest.court.move(add=30, change=5, remove=3)
    status, after, _ = await guest.index(**{"If-None-Match": headers["ETag"]})

    assert (same, unmodified, status) == (304, 304, 200)
    assert {what: len(tokens) for what, tokens in moved.items()} == {
        "added": 30,
        "changed": 5,
        "removed": 3,
        "readded": 0,
    }
    assert all(token.replace("&", "&amp;").encode() in after for token in moved["added"])
    assert not any(f",{token}\r\n".encode() in after for token in moved["removed"])
    assert before != after


async def test_what_was_removed_comes_back_as_it_was(guest) -> None:
    before = guest.court.published()

    removed = guest.court.move(remove=2)["removed"]
    without = guest.court.published()
    back = guest.court.move(readd=2)["readded"]

    assert sorted(removed) == sorted(back)
    assert before.keys() - without.keys() == set(removed)
    assert guest.court.published() == before


async def test_time_publishes_too_unless_told_not_to(guest) -> None:
    _, before, _ = await guest.index()

    guest.pool.advance(5)
    _, later, _ = await guest.index()
    guest.court.set_habits(mutates_by_tick=False)
    guest.pool.advance(5)
    _, still, _ = await guest.index()

    assert before != later == still


async def test_a_filing_of_the_registers_is_had_by_file_number_and_token(guest) -> None:
    tree = LexborHTMLParser(await guest.registers())
    token = tree.css_first("[data-vw]").attributes["data-vw"]

    _, text = await guest.ask(token, action="get_bfile")
    given = json.loads(text)["data"]
    url = guest.pool.url("box", f"/2.0/files/{given['fid']}/content?access_token={given['t']}")
    status, content = await guest.get(url)

    assert (status, content) == (200, guest.court.pdf(token))
    assert [visit.site for visit in guest.pool.log][-2:] == ["box", "boxcdn"]


async def test_the_registers_can_be_narrowed_by_name_and_text(guest) -> None:
    filing = guest.court.registers.filings[0]

    whole = LexborHTMLParser(await guest.registers()).css("[data-vw]")
    narrow = LexborHTMLParser(await guest.registers(f"?text={filing.cause_number.replace(' ', '+')}")).css(
        "[data-vw]"
    )

    assert len(whole) == 30
    assert [node.attributes["data-vw"] for node in narrow] == [filing.token]


async def test_the_truth_of_the_index_can_be_asked_for(guest) -> None:
    truth = guest.pool.world.truth("court", INDEX)

    assert truth is not None
    assert truth["cases"] == 300
    assert truth["criminal"] > 10
    assert truth["blank"] >= 1
    assert truth["missing_causes"]
    assert truth["missing_citations"]
