"""The archive as a whole: every judgment once, byte for byte, and afterwards only what is new."""

from __future__ import annotations


async def test_every_judgment_is_archived_once_and_then_only_what_is_new(
    courthouse, archive, journey
) -> None:
    courthouse.write_config()
    async with courthouse.open() as house:
        first = await archive.scrape(house)

        assert await archive.archived(house) == courthouse.wanted()
        assert first.downloads_completed == first.cases_targeted == len(courthouse.wanted())
        assert set(courthouse.downloads().values()) == {1}

        moved = courthouse.court.move(add=7, change=5, remove=3)
        before = dict(courthouse.downloads())
        second = await archive.scrape(house, mode="new")

        assert second.downloads_completed == second.cases_targeted == 7
        fetched = {number for number in courthouse.downloads() if number not in before}
        assert fetched == {courthouse.court.docket.document_of(token) for token in moved["added"]}
        assert set(courthouse.downloads().values()) == {1}
        await journey.prove(house)
