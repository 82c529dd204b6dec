"""Each of the court's own misbehaviours shows on the wire, and ends when it is switched off."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tidepool.faults import BEHAVIOURS, TABLE, UnknownFault

OWN = [known for known in TABLE.values() if known.at in ("court", "boxcdn")]


def some_token(guest) -> str:
    # Directly from the content host: a shared link would be redirected first.
    docket = guest.court.docket
    return next(token for token in docket.by_token() if docket.document_of(token) % 5 != 3)


async def what_is_seen(guest, known) -> object:
    """Return the answer this behaviour is about."""
    if known.name.startswith("csv_"):
        return (await guest.index())[1]
    if known.name.startswith("nonce_"):
        return await guest.page()
    if known.name.startswith("ajax_"):
        status, text = await guest.ask(some_token(guest))
        return status, text.partition("boxcdn")[0]  # what follows is signed anew each time
    return await guest.get(await guest.address(some_token(guest)))


@pytest.mark.parametrize("known", OWN, ids=lambda known: known.name)
async def test_it_differs_from_a_healthy_answer_and_passes(guest, known) -> None:
    healthy = await what_is_seen(guest, known)
    guest.pool.set_fault(known.at, known.name, times=1)

    faulty = await what_is_seen(guest, known)
    after = await what_is_seen(guest, known)

    assert faulty != healthy
    assert after == healthy
    assert [visit.fault for visit in guest.pool.log].count(known.name) == 1


def test_they_are_no_business_of_other_sites(guest) -> None:
    assert not {known.name for known in OWN} & BEHAVIOURS.keys()
    with pytest.raises(UnknownFault, match="only court"):
        guest.pool.set_fault("shop", "ajax_zero_200")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ajax_minus_one_200", (200, "-1")),
        ("ajax_minus_one_403", (403, "-1")),
        ("ajax_zero_200", (200, "0")),
        ("ajax_zero_400", (400, "0")),
        ("ajax_empty", (200, "")),
        ("ajax_success_false", (200, '{"success":false,"data":"Unable to fetch file"}')),
        ("ajax_no_address", (200, '{"success":true,"data":{}}')),
        ("ajax_empty_address", (200, '{"success":true,"data":{"fid":""}}')),
        (
            "ajax_foreign_address",
            (200, r'{"success":true,"data":{"fid":"https:\/\/files.example.net\/judgment.pdf"}}'),
        ),
    ],
)
async def test_the_desk_fails_in_these_words(guest, name, expected) -> None:
    guest.pool.set_fault("court", name)

    assert await guest.ask(some_token(guest)) == expected


async def test_the_address_may_stand_under_another_name(guest) -> None:
    guest.pool.set_fault("court", "ajax_other_key", key="url")

    _, text = await guest.ask(some_token(guest))

    assert json.loads(text)["data"]["url"].startswith("http://boxcdn.")


async def test_a_hidden_nonce_is_not_in_the_page_but_the_decoy_is(guest) -> None:
    guest.pool.set_fault("court", "nonce_by_script")

    page = await guest.page()

    assert '"ajax_nonce"' not in page
    assert '"_nonce":"' in page


async def test_the_index_may_name_its_columns_otherwise_and_lose_most_rows(guest) -> None:
    guest.pool.set_fault("court", "csv_other_headers", times=1)
    _, renamed, _ = await guest.index()
    guest.pool.set_fault("court", "csv_mostly_gone", times=1, percent=80)
    _, gone, _ = await guest.index()

    header = next(csv.reader(io.StringIO(renamed.decode("utf-8-sig"))))

    assert header[0] == "Action"
    assert len(list(csv.reader(io.StringIO(gone.decode("utf-8-sig"), newline="")))) < 75


async def test_the_fid_may_stand_on_the_button(guest) -> None:
    folder = guest.folder
    guest.court.set_habits(fid_on_button=True)

    page = await guest.page()

    assert guest.folder == ""
    assert f'data-fid="{folder}"' in page
