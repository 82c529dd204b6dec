"""Content decoding that cannot be made to grow: output is bounded while it is being produced."""

from __future__ import annotations

import zlib
from typing import Protocol

import brotli

from limpet.errors import BadResponse, BodyTooLarge

ACCEPT_ENCODING = "gzip, deflate, br"
_MOST_LAYERS = 2
_GZIP_OR_ZLIB = 47
_RAW_DEFLATE = -15
_ZLIB_HEADER_BYTES = 2
_BROTLI_STEP = 256 * 1024


class Decoder(Protocol):
    """Turns coded bytes into plain ones, never more than it was allowed."""

    def feed(self, data: bytes) -> bytes: ...

    def finish(self) -> None:
        """Raise BadResponse when the stream broke off before its end."""
        ...


class ZlibDecoder:
    """gzip and deflate, as one or several members; deflate with or without its header."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._opening: bytes | None = b""  # the first bytes, until the header proved to be one

    def feed(self, data: bytes) -> bytes:
        out = bytearray()
        while data:
            out += self._step(data)
            data = self._inflate.unused_data
            if data:
                self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        return bytes(out)

    def _step(self, data: bytes) -> bytes:
        try:
            piece = self._inflate.decompress(data, self._left + 1)
        except zlib.error as exc:
            piece = self._as_raw_deflate(data, exc)
        else:
            self._note_opening(data)
        self._left -= len(piece)
        if self._left < 0:
            raise BodyTooLarge("The body grows past the size cap when it is unpacked.")
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
            return self._inflate.decompress(opening + data, self._left + 1)
        except zlib.error:
            raise BadResponse("The body is not what its Content-Encoding says.") from exc

    def finish(self) -> None:
        if not self._inflate.eof:
            raise BadResponse("The packed body broke off before its end.")


class BrotliDecoder:
    """Brotli, drawn out in small steps so that a bomb is met before it has grown."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._inflate = brotli.Decompressor()

    def feed(self, data: bytes) -> bytes:
        out = bytearray()
        try:
            piece = self._inflate.process(data, output_buffer_limit=_BROTLI_STEP)
            while True:
                out += piece
                self._left -= len(piece)
                if self._left < 0:
                    raise BodyTooLarge("The body grows past the size cap when it is unpacked.")
                if self._inflate.is_finished() or self._inflate.can_accept_more_data():
                    return bytes(out)
                piece = self._inflate.process(b"", output_buffer_limit=_BROTLI_STEP)
        except brotli.error as exc:
            raise BadResponse("The body is not what its Content-Encoding says.") from exc

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
