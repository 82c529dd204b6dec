"""Breakers shared by all processes that work on one data directory: a tiny file each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from limpet.clock import Clock, SystemClock
from limpet.fetch.policy.breaker import Breaker, BreakerTerms, MemoryBreakers, refuse
from limpet.record.breaker_text import breaker_from_text, breaker_to_text
from limpet.record.shared_page import SharedPage, safe_file_name

SIZE = 2048
TROUBLED, LENGTH, TEXT = 0, 8, 16  # byte 0 is zero while a success would change nothing but totals
OPEN_FILES = 100
TOTALS_EVERY_SECONDS = 1.0


class BreakerFile:
    """One breaker's file, and the successes not yet written to it."""

    __slots__ = ("mark", "name", "page", "successes", "terms")

    def __init__(self, folder: Path, name: str, terms: BreakerTerms) -> None:
        self.name, self.terms = name, terms
        self.page = SharedPage(folder / f"{safe_file_name(name)}.breaker", SIZE)
        self.mark = self.page.bytes
        self.successes = 0

    def update(self, change: Callable[[Breaker], Breaker]) -> Breaker:
        """Change the breaker where no other process can interfere, and return what became of it."""
        with self.page.locked():
            after = change(self._read().with_successes(self.successes))
            self._write(after)
        self.successes = 0
        return after

    def close(self) -> None:
        if self.successes:
            self.update(lambda breaker: breaker)
        self.page.close()

    def _read(self) -> Breaker:
        length = int.from_bytes(self.page.bytes[LENGTH:TEXT], "little")
        text = bytes(self.page.bytes[TEXT : TEXT + length]) if length else b""
        return breaker_from_text(self.name, text, terms=self.terms)

    def _write(self, breaker: Breaker) -> None:
        text = breaker_to_text(breaker)
        self.page.bytes[TEXT : TEXT + len(text)] = text
        self.page.bytes[LENGTH:TEXT] = len(text).to_bytes(8, "little")
        self.page.bytes[TROUBLED] = not breaker.is_calm


class FileBreakers:
    """Breakers in `<data_dir>/breakers`. Where no file can be had, each process keeps its own."""

    def __init__(
        self, data_dir: Path, *, clock: Clock | None = None, terms: BreakerTerms | None = None
    ) -> None:
        self._folder = data_dir / "breakers"
        self._clock = clock or SystemClock()
        self._terms = terms or BreakerTerms()
        self._files: dict[str, BreakerFile] = {}
        self._written_at = self._clock.monotonic()
        self._own = MemoryBreakers(clock=self._clock, terms=self._terms)

    async def check(self, name: str) -> None:
        file = self._files.get(name) or self._open(name)
        if file is None:
            await self._own.check(name)
        elif file.mark[TROUBLED]:
            self._check_trouble(file)

    async def succeeded(self, name: str) -> None:
        file = self._files.get(name) or self._open(name)
        if file is None:
            await self._own.succeeded(name)
        elif file.mark[TROUBLED]:
            self._change(file, Breaker.succeeded)
        else:
            file.successes += 1
            if self._clock.monotonic() - self._written_at > TOTALS_EVERY_SECONDS:
                self.write_down()

    async def failed(self, name: str) -> None:
        file = self._files.get(name) or self._open(name)
        if file is None:
            await self._own.failed(name)
        else:
            self._change(file, Breaker.failed)

    async def abandoned(self, name: str) -> None:
        file = self._files.get(name) or self._open(name)
        if file is None:
            await self._own.abandoned(name)
        elif file.mark[TROUBLED]:
            self._change(file, Breaker.abandoned)

    async def state(self, name: str) -> Breaker:
        file = self._files.get(name) or self._open(name)
        return file.update(lambda breaker: breaker) if file else await self._own.state(name)

    async def states(self) -> list[Breaker]:
        self.write_down()
        texts = [_text_of(path) for path in sorted(self._folder.glob("*.breaker"))]
        found = [breaker_from_text("", text, terms=self._terms) for text in texts if text]
        return [breaker for breaker in found if breaker.name] + await self._own.states()

    def write_down(self) -> None:
        """Add the successes counted since the last time to the shared totals."""
        self._written_at = self._clock.monotonic()
        for file in self._files.values():
            if file.successes:
                file.update(lambda breaker: breaker)

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()

    def _check_trouble(self, file: BreakerFile) -> None:
        now = self._clock.now().timestamp()
        wait: float | None = None

        def ask(breaker: Breaker) -> Breaker:
            nonlocal wait
            after, wait = breaker.check(now)
            return after

        file.update(ask)
        if wait is not None:
            raise refuse(file.name, wait)

    def _change(self, file: BreakerFile, change: Callable[[Breaker, float], Breaker]) -> None:
        now = self._clock.now().timestamp()
        file.update(lambda breaker: change(breaker, now))

    def _open(self, name: str) -> BreakerFile | None:
        if len(self._files) >= OPEN_FILES:
            self._files.pop(next(iter(self._files))).close()
        try:
            file = self._files[name] = BreakerFile(self._folder, name, self._terms)
        except OSError:
            return None
        return file


def _text_of(path: Path) -> bytes:
    content = path.read_bytes()
    return content[TEXT : TEXT + int.from_bytes(content[LENGTH:TEXT], "little")]
