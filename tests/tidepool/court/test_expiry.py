"""Nonces and signed addresses end: by command, by use, with the tick and with the clock."""

from __future__ import annotations

import pytest


def some_token(guest) -> str:
    return next(token for token, row in guest.court.docket.by_token().items() if row.is_ordinary)


def token_of_document(guest, *, remainder: int) -> str:
    """A judgment handed out by a shared link (remainder 3 of 5), or directly."""
    return next(
        token
        for token in guest.court.docket.by_token()
        if guest.court.docket.document_of(token) % 5 == remainder
    )


async def test_a_nonce_expires_by_command_and_a_fresh_page_has_a_good_one(guest) -> None:
    guest.court.expire_nonces()

    refused = await guest.ask(some_token(guest))
    await guest.page()
    answered, _ = await guest.ask(some_token(guest))

    assert refused == (403, "-1")
    assert answered == 200


async def test_a_nonce_may_be_refused_softly(guest) -> None:
    guest.court.set_habits(refuses_softly=True)
    guest.court.expire_nonces()

    assert await guest.ask(some_token(guest)) == (200, "-1")


async def test_a_nonce_is_spent_after_so_many_answers(guest) -> None:
    guest.court.set_habits(nonce_uses=3)
    token = some_token(guest)

    statuses = [(await guest.ask(token))[0] for _ in range(4)]

    assert statuses == [200, 200, 200, 403]


@pytest.mark.parametrize(("ticks", "status"), [(12, 200), (23, 200), (24, 403)])
async def test_a_nonce_lasts_one_to_two_spans(guest, ticks, status) -> None:
    guest.pool.advance(ticks)

    assert (await guest.ask(some_token(guest)))[0] == status


@pytest.mark.parametrize("remainder", [0, 3])
async def test_an_address_expires_by_command(guest, remainder) -> None:
    address = await guest.address(token_of_document(guest, remainder=remainder))
    guest.court.expire_signatures()

    status, body = await guest.get(address)

    assert status in (401, 403, 404, 410)
    assert not body.startswith(b"%PDF")


async def test_an_address_expires_with_the_tick(guest) -> None:
    address = await guest.address(some_token(guest))

    before, _ = await guest.get(address)
    guest.pool.advance(1)
    after, _ = await guest.get(address)

    assert before == 200
    assert after in (403, 404, 410)


async def test_an_address_may_be_good_for_one_download_only(guest) -> None:
    guest.court.set_habits(signature_uses=1)
    address = await guest.address(token_of_document(guest, remainder=0))

    first, _ = await guest.get(address)
    second, _ = await guest.get(address)

    assert (first, second >= 400) == (200, True)


async def test_an_address_may_be_over_before_it_is_used(guest) -> None:
    guest.court.set_habits(signature_seconds=1e-9)
    address = await guest.address(some_token(guest))

    assert (await guest.get(address))[0] >= 400


async def test_a_signature_opens_no_other_document(guest) -> None:
    one, other = (token_of_document(guest, remainder=number) for number in (0, 1))
    address = await guest.address(one)
    strange = address.replace(
        f"/d/1/{guest.court.docket.document_of(one)}/", f"/d/1/{guest.court.docket.document_of(other)}/"
    )

    assert (await guest.get(strange))[0] in (403, 404, 410)


async def test_the_control_api_acts_on_the_court(guest) -> None:
    async def control(body: dict[str, object]) -> tuple[int, object]:
        async with guest.http.post(guest.pool.url("control", "/acts"), json=body) as response:
            return response.status, await response.json()

    _, moved = await control({"site": "court", "act": "move", "with": {"add": 2, "remove": 1}})
    await control({"site": "court", "act": "expire_nonces"})
    status, habits = await control({"site": "court", "act": "set_habits", "with": {"nonce_uses": 5}})
    unknown = await control({"site": "court", "act": "set_habits", "with": {"nonce_use": 5}})
    nothing = await control({"site": "shop", "act": "move"})

    assert (len(moved["added"]), len(moved["removed"])) == (2, 1)
    assert (await guest.ask(some_token(guest)))[0] == 403
    assert (status, habits["nonce_uses"]) == (200, 5)
    assert unknown[0] == nothing[0] == 400


async def test_reset_brings_back_the_first_day(guest) -> None:
    _, before, _ = await guest.index()
    guest.court.move(add=3)
    guest.court.set_habits(nonce_uses=1)

    async with guest.http.post(guest.pool.url("control", "/reset")):
        pass
    _, after, _ = await guest.index()

    assert before == after
    assert guest.court.habits.nonce_uses == 0
