"""Content decoding that cannot be made to grow: output is bounded while it is being produced."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

import brotli

from limpet.errors import BadResponse, BodyTooLarge

ACCEPT_ENCODING = "gzip, deflate, br"
_MOST_LAYERS = 2
_GZIP_OR_ZLIB = 47
_RAW_DEFLATE = -15
_ZLIB_HEADER_BYTES = 2
_MOST_MEMBERS = 1_000  # each is a fresh start, and empty ones cost no bytes of the cap
_MOST_GROWTH = 200  # measured: tables of 50,000 rows, two megabytes each, grow 8- to 22-fold
_HARMLESS = 1024 * 1024
_SIP = 4 * 1024  # brotli does not tell how much it took, so it is given little at a time
_STEP = 256 * 1024  # what is unpacked at a time, so that a bomb is met before it has grown


class _Scale:
    """Weighs what comes out against what went in: a bomb is met at its first mebibyte, not at the cap."""

    __slots__ = ("_given", "_most", "_taken")

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0
        self._given = 0

    def weigh(self, *, taken: int, given: int) -> None:
        """Count one step; raise BodyTooLarge when the body passes its cap or grows as no text does."""
        self._taken += taken
        self._given += given
        if self._given > self._most:
            raise BodyTooLarge("The body grows past the size cap when it is unpacked.")
        if self._given > _HARMLESS and self._given > self._taken * _MOST_GROWTH:
            raise BodyTooLarge(f"The body grows more than {_MOST_GROWTH}-fold when it is unpacked.")


class Decoder(Protocol):
    """Turns coded bytes into plain ones, never more than it was allowed."""

    def feed(self, data: bytes) -> bytes: ...

    def finish(self) -> None:
        """Raise BadResponse when the stream broke off before its end."""
        ...


class ZlibDecoder:
    """gzip and deflate, as one or several members; deflate with or without its header."""

    def __init__(self, most: int) -> None:
        self._scale = _Scale(most)
        self._members = 1
        self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._opening: bytes | None = b""  # the first bytes, until the header proved to be one

    def feed(self, data: bytes) -> bytes:
        out = list[bytes]()
        has_more = bool(data)
        while has_more:
            piece = self._step(data)
            out.append(piece)
            data = self._inflate.unconsumed_tail or self._next_member()
            # A full step may leave output behind although every byte of input was taken.
            has_more = bool(data) or len(piece) == _STEP
        return b"".join(out)

    def _next_member(self) -> bytes:
        """Return what follows a finished member, ready to be unpacked as one more; empty when nothing does."""
        following = self._inflate.unused_data
        if following:
            self._members += 1
            if self._members > _MOST_MEMBERS:
                raise BadResponse("The body is packed in far too many parts.")
            self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        return following

    def _step(self, data: bytes) -> bytes:
        try:
            piece = self._inflate.decompress(data, _STEP)
        except zlib.error as exc:
            piece = self._as_raw_deflate(data, exc)
        else:
            self._note_opening(data)
        left_over = len(self._inflate.unconsumed_tail) + len(self._inflate.unused_data)
        self._scale.weigh(taken=len(data) - left_over, given=len(piece))
        return piece

    def _note_opening(self, data: bytes) -> None:
        if self._opening is not None:
            self._opening += data[:_ZLIB_HEADER_BYTES]
            if len(self._opening) >= _ZLIB_HEADER_BYTES:
                self._opening = None

    def _as_raw_deflate(self, data: bytes, exc: zlib.error) -> bytes:
        # Some servers send "deflate" without the zlib header the name promises.
        if self._opening is None:
            raise BadResponse("The body is not what its Content-Encoding says.") from exc
        opening, self._opening = self._opening, None
        self._inflate = zlib.decompressobj(_RAW_DEFLATE)
        try:
            return self._inflate.decompress(opening + data, _STEP)
        except zlib.error:
            raise BadResponse("The body is not what its Content-Encoding says.") from exc

    def finish(self) -> None:
        if not self._inflate.eof:
            raise BadResponse("The packed body broke off before its end.")


class BrotliDecoder:
    """Brotli, drawn out in small steps so that a bomb is met before it has grown."""

    def __init__(self, most: int) -> None:
        self._scale = _Scale(most)
        self._inflate = brotli.Decompressor()

    def feed(self, data: bytes) -> bytes:
        out = list[bytes]()
        try:
            for start in range(0, len(data), _SIP):
                out += self._drink(data[start : start + _SIP])
        except brotli.error as exc:
            raise BadResponse("The body is not what its Content-Encoding says.") from exc
        return b"".join(out)

    def _drink(self, sip: bytes) -> Iterator[bytes]:
        taken = len(sip)
        while True:
            piece = self._inflate.process(sip, output_buffer_limit=_STEP)
            self._scale.weigh(taken=taken, given=len(piece))
            yield piece
            if self._inflate.is_finished() or self._has_no_more(piece):
                return
            sip, taken = b"", 0

    def _has_no_more(self, piece: bytes) -> bool:
        # A full step may leave output behind although every byte of input was taken.
        return self._inflate.can_accept_more_data() and len(piece) < _STEP

    def finish(self) -> None:
        if not self._inflate.is_finished():
            raise BadResponse("The packed body broke off before its end.")


class Layers:
    """Several codings applied one over another; the last one named was applied last."""

    def __init__(self, decoders: list[Decoder]) -> None:
        self._decoders = decoders

    def feed(self, data: bytes) -> bytes:
        for decoder in self._decoders:
            data = decoder.feed(data)
        return data

    def finish(self) -> None:
        for decoder in self._decoders:
            decoder.finish()


def decoder_for(content_encoding: str, most: int) -> Decoder | None:
    """Return the decoder the header asks for, None for plain bytes; refuse codings we did not offer."""
    names = [name.strip().lower() for name in content_encoding.split(",")]
    names = [name for name in names if name and name != "identity"]
    if not names:
        return None
    if len(names) > _MOST_LAYERS:
        raise BadResponse(f"The body is packed {len(names)} times over.")
    return Layers([_one(name, most) for name in reversed(names)])


def _one(name: str, most: int) -> Decoder:
    if name in ("gzip", "x-gzip", "deflate"):
        return ZlibDecoder(most)
    if name == "br":
        return BrotliDecoder(most)
    raise BadResponse(f"The body is packed with {name!r}, which we did not offer to read.")
