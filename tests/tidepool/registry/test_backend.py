"""The JSON behind the registry's page tells the same files the dataset holds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from tidepool import Tidepool
from tidepool.registry import Registry
from tidepool.registry.court_file import Oddity

BACKEND = "/CourtFilesAndDecisions"
Ask = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
def registry(pool: Tidepool) -> Registry:
    site = pool.site("registry")
    assert isinstance(site, Registry)
    return site


@pytest.fixture
def ask(pool: Tidepool, visitor: aiohttp.ClientSession) -> Ask:
    async def ask(endpoint: str, number: str = "", **parameters: str) -> dict[str, Any]:
        query = {"division": "t", "courtnumber": number, **parameters}
        async with visitor.get(pool.url("registry", f"{BACKEND}/{endpoint}"), params=query) as response:
            assert response.status == 200
            answer = await response.json()
        assert answer["Count"] == len(answer["data"])
        return answer

    return ask


def number_of(registry: Registry, oddity: Oddity) -> str:
    numbers = registry.files.numbers.of_year("25")
    return next(str(one) for one in numbers if registry.truth(str(one), tick=0)["kind"] == oddity)  # type: ignore[index]


async def test_an_existing_file_is_told_with_its_header(ask: Ask, registry: Registry) -> None:
    number = number_of(registry, Oddity.PLAIN)
    truth = registry.truth(number, tick=0)
    assert truth is not None

    answer = await ask("proceedingQueriesCourtNumberList", number)

    [row] = answer["data"]
    assert row["COURT_NO"] == number
    assert row["STYLE_OF_CAUSE"] == truth["style_of_cause"]
    assert row["ENGLISH_NATURE_DESC"] == truth["nature"]
    assert row["FILE_DT"].startswith("/Date(")


@pytest.mark.parametrize("number", ["IMM-99999-25", "IMM-0-25", "IMM-1-19", "IMM-0001-25", "nonsense", ""])
async def test_a_number_nobody_was_given_counts_zero(ask: Ask, number: str) -> None:
    assert (await ask("proceedingQueriesCourtNumberList", number))["Count"] == 0


async def test_the_wrong_division_knows_nothing(ask: Ask) -> None:
    assert (await ask("proceedingQueriesCourtNumberList", "IMM-1-25", division="a"))["Count"] == 0
    assert (await ask("proceedingQueriesCourtNumberList", "IMM-1-25", division="b"))["Count"] == 1


async def test_a_court_number_in_place_of_the_division_is_put_up_with(ask: Ask) -> None:
    assert (await ask("proceedingQueriesRE", "IMM-1-25", division="IMM-1-25"))["Count"] > 0


async def test_entries_come_highest_number_first(ask: Ask, registry: Registry) -> None:
    number = number_of(registry, Oddity.PLAIN)
    truth = registry.truth(number, tick=0)
    assert truth is not None

    rows = (await ask("proceedingQueriesRE", number))["data"]

    assert [row["RE_NO"] for row in rows] == [entry["id"] for entry in reversed(truth["entries"])]
    assert {row["COURT_NO"] for row in rows} == {number}


async def test_a_file_without_entries_has_none_or_one_row_without_text(ask: Ask, registry: Registry) -> None:
    none = await ask("proceedingQueriesRE", number_of(registry, Oddity.NO_ENTRIES))
    header_only = await ask("proceedingQueriesRE", number_of(registry, Oddity.HEADER_ONLY))

    assert none["Count"] == 0
    [row] = header_only["data"]
    assert (row["RECORDED_ENTRY"], row["RE_NO"]) == ("", None)


async def test_some_files_have_no_filing_date(ask: Ask, registry: Registry) -> None:
    number = number_of(registry, Oddity.NO_FILING_DATE)

    [row] = (await ask("proceedingQueriesCourtNumberList", number))["data"]

    assert row["FILE_DT"] is None


async def test_some_files_are_told_twice(ask: Ask, registry: Registry) -> None:
    answer = await ask("proceedingQueriesCourtNumberList", number_of(registry, Oddity.TOLD_TWICE))

    assert answer["Count"] == 2
    assert answer["data"][0] == answer["data"][1]


async def test_published_documents_are_pdfs_and_confidential_ones_are_kept(
    pool: Tidepool, visitor: aiohttp.ClientSession, ask: Ask, registry: Registry
) -> None:
    seen: dict[bool, int] = {}
    for number in registry.files.numbers.of_year("25"):
        for row in (await ask("proceedingQueriesRE", str(number)))["data"]:
            if row["CAN_PUBLISH_DOCUMENT"] != "Y" or (row["IS_CONFIDENTIAL"] == "Y") in seen:
                continue
            address = f"{BACKEND}/downloadFileFromAlfresco?foremostNum={row['FOREMOST_NUMBER']}"
            async with visitor.get(pool.url("registry", address)) as response:
                seen[row["IS_CONFIDENTIAL"] == "Y"] = response.status
                assert response.status == 404 or (await response.read()).startswith(b"%PDF-")
        if len(seen) == 2:
            break

    assert seen == {False: 200, True: 404}


async def test_time_adds_rewords_and_withdraws_entries(pool: Tidepool, registry: Registry) -> None:
    numbers = [str(one) for one in registry.files.numbers.of_year("25")][:400]
    before = {number: registry.truth(number, tick=0)["entries"] for number in numbers}  # type: ignore[index]

    after = {number: registry.truth(number, tick=4)["entries"] for number in numbers}  # type: ignore[index]

    assert any(len(after[one]) > len(before[one]) for one in numbers)
    assert any(len(after[one]) < len(before[one]) for one in numbers)
    assert any(
        entry["id"] == other["id"] and entry["summary"] != other["summary"]
        for one in numbers
        for entry, other in zip(before[one], after[one], strict=False)
    )
    assert any(after[one] == before[one] for one in numbers)


async def test_parties_relations_and_property_are_told_on_request(ask: Ask, registry: Registry) -> None:
    related = next(
        one for one in registry.files.numbers.of_year("25") if registry.truth(str(one), tick=0)["related"]
    )  # type: ignore[index]

    parties = await ask("PublicPartiesListInfo", "IMM-1-25")
    relations = await ask("RelatedListInfo", str(related))

    assert [sorted(row) for row in parties["data"]] == [["PARTY_NAME", "SOLCTR_CONTACT", "SOLCTR_FIRM"]] * 2
    assert relations["data"][0]["RELATED_COURT_NO"] == registry.truth(str(related), tick=0)["related"][0]  # type: ignore[index]
    assert (await ask("PartyInfoIntlProp", "IMM-1-25"))["Count"] == 0


async def test_a_party_is_found_by_name_and_dates(ask: Ask, registry: Registry) -> None:
    newest = registry.truth("IMM-412-26", tick=0)
    assert newest is not None
    name = newest["style_of_cause"].split(",")[0].replace(".", "xxyxx")

    found = await ask("ProceedingsQueriesPartyInfo", name=name)
    none = await ask(
        "ProceedingsQueriesPartyInfoDates", name=name, **{"from": "01-01-1999", "to": "12-31-1999"}
    )

    assert "IMM-412-26" in {row["COURT_NO"] for row in found["data"]}
    assert none["Count"] == 0
