"""Bodies that are far bigger than they look. Bombs are streamed, so that the server stays small."""

from __future__ import annotations

import struct
import zlib

import brotli

from tidepool.faults.behaviour import Exchange, behaviour

MEBIBYTE = 1024 * 1024
ZEROS = bytes(MEBIBYTE)
FILLER = (b"<p>" + b"more and more of the same " * 40 + b"</p>\n") * 64


def _deflated_mebibyte() -> bytes:
    # A full flush forgets all history, so that the same bytes may follow each other without end.
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(ZEROS) + packer.flush(zlib.Z_FULL_FLUSH)


@behaviour(mebibytes=4096)
async def gzip_bomb(exchange: Exchange) -> None:
    """Sends a few megabytes of gzip that unpack to `mebibytes` MiB."""
    await exchange.begin_page(("Content-Encoding", "gzip"))
    await exchange.send(b"\x1f\x8b\x08\0\0\0\0\0\0\xff")
    await exchange.send_again_and_again(_deflated_mebibyte(), exchange.count("mebibytes"))
    # No visitor should live to see the checksum, so a wrong one will do.
    await exchange.send(b"\x03\0" + bytes(8))


@behaviour(mebibytes=4096)
async def deflate_bomb(exchange: Exchange) -> None:
    """Sends a few megabytes of deflate that unpack to `mebibytes` MiB."""
    await exchange.begin_page(("Content-Encoding", "deflate"))
    await exchange.send(b"\x78\xda")
    await exchange.send_again_and_again(_deflated_mebibyte(), exchange.count("mebibytes"))
    await exchange.send(b"\x03\0" + bytes(4))


@behaviour(mebibytes=4096)
async def brotli_bomb(exchange: Exchange) -> None:
    """Sends a few kilobytes of brotli that unpack to `mebibytes` MiB."""
    await exchange.begin_page(("Content-Encoding", "br"))
    packer = brotli.Compressor(quality=5)
    opening = packer.process(ZEROS) + packer.flush()
    # From the second block on the packer has nothing new to say: each further mebibyte is the same few bytes.
    steady = packer.process(ZEROS) + packer.flush()
    await exchange.send(opening)
    await exchange.send_again_and_again(steady, exchange.count("mebibytes") - 1)
    await exchange.send(packer.finish())


@behaviour(mebibytes=4096)
async def zstd_bomb(exchange: Exchange) -> None:
    """Sends a few kilobytes of zstd that unpack to `mebibytes` MiB."""
    await exchange.begin_page(("Content-Encoding", "zstd"))
    block_size, repeat_one_byte = 128 * 1024, 1
    block = struct.pack("<I", repeat_one_byte << 1 | block_size << 3)[:3] + b"\0"
    await exchange.send(b"\x28\xb5\x2f\xfd\x00\x38")
    await exchange.send_again_and_again(block, exchange.count("mebibytes") * 8)
    await exchange.send(b"\x01\x00\x00")


@behaviour(mebibytes=4096)
async def nested_gzip_bomb(exchange: Exchange) -> None:
    """Sends a gzip bomb packed in gzip once more: kilobytes that unpack to `mebibytes` MiB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    inner = (
        b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
        + _deflated_mebibyte() * exchange.count("mebibytes")
        + b"\x03\0"
        + bytes(8)
    )
    await exchange.begin_page(("Content-Encoding", "gzip, gzip"))
    await exchange.send(packer.compress(inner) + packer.flush())


@behaviour(mebibytes=20_480)
async def huge_body_declared(exchange: Exchange) -> None:
    """Declares a body of `mebibytes` MiB and sends all of it."""
    length = exchange.count("mebibytes") * MEBIBYTE
    await exchange.begin_page(("Content-Length", str(length)))
    await exchange.send_again_and_again(FILLER, length // len(FILLER))
    await exchange.send(FILLER[: length % len(FILLER)])


@behaviour()
async def endless_body(exchange: Exchange) -> None:
    """Declares no length and sends for ever."""
    await exchange.begin_page(("Connection", "close"))
    await exchange.send_forever(FILLER)


@behaviour()
async def endless_chunks(exchange: Exchange) -> None:
    """Sends well-formed chunks for ever."""
    await exchange.begin_page(("Transfer-Encoding", "chunked"))
    await exchange.send_forever(f"{len(FILLER):x}\r\n".encode() + FILLER + b"\r\n")


@behaviour()
async def tiny_chunks(exchange: Exchange) -> None:
    """Sends chunks of one byte for ever, so that reading costs far more than sending."""
    await exchange.begin_page(("Transfer-Encoding", "chunked"))
    await exchange.send_forever(b"1\r\n.\r\n" * 8192)
