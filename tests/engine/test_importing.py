"""Every line of a table gets its own answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from limpet.apps.prices import APP
from limpet.engine.import_table import unknown_columns
from limpet.engine.importing import Importer, LineResult
from limpet.errors import FileUnreadable, NotThere, UsageError
from limpet.record.editing_targets import TargetFilter, TargetRow, delete_targets, edit_targets, list_targets
from limpet.record.entry import NewRun
from limpet.record.ledger import Ledger, Selection
from limpet.source import Source
from limpet.source.catalogue import Catalogue

SHOP = Source(id="shop", app="prices", site="sgammo", hosts=("shop.test",))


@pytest.fixture
async def importer(tmp_path: Path) -> AsyncIterator[Importer]:
    async with await Ledger.open(tmp_path, bookkeepers={"prices": APP.bookkeeper}) as ledger:
        await ledger.put_source(SHOP)
        yield Importer(ledger, Catalogue([SHOP]), {"prices": APP})


async def words(importer: Importer, text: str, source: str | None = "shop") -> list[tuple[int, str]]:
    results = await importer.bring_in(text, source_id=source, by="ann")
    return [(result.number, result.result) for result in results]


async def rows(importer: Importer, **wanted: object) -> list[TargetRow]:
    return await importer.ledger.read(
        lambda connection: list_targets(connection, TargetFilter(**wanted))  # type: ignore[arg-type]
    )


async def test_a_table_with_quotes_commas_and_a_mark_at_its_start_is_read_as_it_is_meant(
    importer: Importer,
) -> None:
    table = (
        '\ufeffURL,Priority,Tags\r\n"https://shop.test/p?a=1,2",7,"red; blue"\r\nhttps://shop.test/q,,\r\n'
    )

    assert await words(importer, table) == [(2, "created"), (3, "created")]

    first, second = await rows(importer)
    assert (first.url, first.priority, first.tags) == ("https://shop.test/p?a=1,2", 7, ("red", "blue"))
    assert (second.priority, second.tags) == (0, ())


async def test_another_spelling_of_a_known_address_is_a_duplicate_and_says_of_which(
    importer: Importer,
) -> None:
    results = await importer.bring_in(
        "https://shop.test/p/\nhttp://SHOP.test/p?utm_source=mail#top\n", source_id="shop", by="ann"
    )

    assert [result.result for result in results] == ["created", "duplicate"]
    assert results[0].target_id == results[1].target_id


async def test_a_wrong_line_says_what_to_do_and_spoils_no_other(importer: Importer) -> None:
    table = (
        "url,source,priority,schedule\n"
        "https://shop.test/1,shop,,\n"
        "not an address,shop,,\n"
        "https://shop.test/2,shpo,,\n"
        "https://shop.test/3,shop,high,\n"
        "https://shop.test/4,shop,,whenever\n"
        "https://shop.test/5,,,\n"
        "https://shop.test/6,shop,,every 30m\n"
    )

    results: list[LineResult] = await importer.bring_in(table, source_id=None, by="ann")

    assert [result.result for result in results] == ["created", *["error"] * 5, "created"]
    assert "'shop'" in results[2].detail
    assert all(result.detail for result in results if result.result == "error")


async def test_an_address_the_source_may_not_touch_is_refused_at_once(importer: Importer) -> None:
    elsewhere, own = await importer.bring_in(
        "https://elsewhere.test/p\nhttps://shop.test/p\n", source_id="shop", by="ann"
    )

    assert (elsewhere.result, own.result) == ("error", "created")
    assert "elsewhere.test" in elsewhere.detail
    assert "shop.test" in elsewhere.detail


async def test_a_long_table_is_answered_line_by_line_in_its_order(importer: Importer) -> None:
    addresses = [f"https://shop.test/p/{number}" for number in range(450)]

    results = await importer.bring_in("\n".join([*addresses, addresses[7]]), source_id="shop", by="ann")

    assert [result.url for result in results] == [*addresses, addresses[7]]
    assert [result.result for result in results] == ["created"] * 450 + ["duplicate"]
    assert results[-1].target_id == results[7].target_id


@pytest.mark.parametrize(
    "address", ["https://shop.test/a\x00b", '"https://shop.test/a\nb"', "https://shop.test/a\tb"]
)
async def test_an_address_with_a_control_character_is_refused(importer: Importer, address: str) -> None:
    (result,) = await importer.bring_in(address, source_id="shop", by="ann")

    assert (result.result, await rows(importer)) == ("error", [])
    assert "control character" in result.detail


@pytest.mark.parametrize("separator", [";", "\t"])
async def test_what_separates_the_cells_is_seen_in_the_header(importer: Importer, separator: str) -> None:
    lines = (("url", "source", "priority", "tags"), ("https://shop.test/p,1", "shop", "5", '"red;blue"'))

    assert await words(importer, "\r\n".join(separator.join(line) for line in lines), None) == [
        (2, "created")
    ]

    (row,) = await rows(importer)
    assert (row.url, row.priority, row.tags) == ("https://shop.test/p,1", 5, ("red", "blue"))


async def test_semicolons_without_a_header_are_not_taken_for_part_of_an_address(importer: Importer) -> None:
    wrong, fine = await importer.bring_in(
        "https://shop.test/p/;shop;5\nhttps://shop.test/p;v=2\n", source_id="shop", by="ann"
    )

    assert (wrong.result, fine.result) == ("error", "created")
    assert "semicolons" in wrong.detail


async def test_a_cell_no_column_is_there_for_is_an_error_unless_it_is_empty(importer: Importer) -> None:
    table = "url,priority\nhttps://shop.test/1,5,red\nhttps://shop.test/2,5,,\n"

    cut, fine = await importer.bring_in(table, source_id="shop", by="ann")

    assert (cut.result, fine.result) == ("error", "created")
    assert "more cells than there are columns: 'red'" in cut.detail


async def test_a_line_that_names_another_source_than_was_named_for_all_is_refused(importer: Importer) -> None:
    table = "url,source\nhttps://shop.test/1,rival\nhttps://shop.test/2,shop\nhttps://shop.test/3,\n"

    assert await words(importer, table) == [(2, "error"), (3, "created"), (4, "created")]


def test_columns_nobody_knows_are_named() -> None:
    assert unknown_columns("\ufeffURL;Price;Adapter ID;In stock\n") == ["price", "in_stock"]
    assert unknown_columns("https://shop.test/1,shop\n") == []


async def test_a_plain_list_of_addresses_is_a_table_too(importer: Importer) -> None:
    assert await words(importer, "# ours\nhttps://shop.test/1\n\nhttps://shop.test/2") == [
        (2, "created"),
        (4, "created"),
    ]


async def test_a_quote_that_is_never_closed_is_named_by_its_line(importer: Importer) -> None:
    with pytest.raises(FileUnreadable):
        await importer.bring_in('url\nhttps://shop.test/1\n"https://shop.test/2', source_id="shop", by="ann")


async def test_edits_are_found_again_and_are_in_the_audit_log(importer: Importer) -> None:
    await words(importer, "https://shop.test/1\nhttps://shop.test/2")
    ledger, (first, _) = importer.ledger, await rows(importer)

    await ledger.write(
        lambda connection: edit_targets(
            connection,
            [first.id],
            {"status": "paused", "tags": ["old"]},
            by="ann",
            reason="seasonal",
            now=ledger.clock.now(),
        )
    )

    assert [row.id for row in await rows(importer, status="paused")] == [first.id]
    assert [row.id for row in await rows(importer, tag="old")] == [first.id]
    (entry,) = await ledger.audit_entries()
    assert (entry.actor, entry.action, entry.reason) == ("ann", "edit_targets", "seasonal")


async def test_a_target_with_a_history_is_never_deleted(importer: Importer) -> None:
    await words(importer, "https://shop.test/1\nhttps://shop.test/2")
    ledger, (walked, fresh) = importer.ledger, await rows(importer)
    await ledger.plan_run(NewRun("prices", "shop"), Selection(target_ids=[walked.id]))
    now = ledger.clock.now()

    with pytest.raises(UsageError):
        await ledger.write(lambda c: delete_targets(c, [walked.id], by="ann", reason="x", now=now))
    await ledger.write(lambda c: delete_targets(c, [fresh.id], by="ann", reason="x", now=now))
    with pytest.raises(NotThere):
        await ledger.write(lambda c: delete_targets(c, [fresh.id], by="ann", reason="x", now=now))

    assert [row.id for row in await rows(importer)] == [walked.id]
