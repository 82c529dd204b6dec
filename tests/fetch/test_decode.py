"""Packed bodies are unpacked within bounds, or refused."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from functools import partial

import brotli
import pytest

from limpet.errors import BadResponse, BodyTooLarge
from limpet.fetch.decode import decoder_for

TEXT = b"<p>the same rock for years</p>" * 500
ROOMY = 1_000_000


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(TEXT, mtime=0)),
        ("x-gzip", gzip.compress(TEXT, mtime=0)),
        ("GZip", gzip.compress(TEXT, mtime=0)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", raw_deflate(TEXT)),
        ("br", brotli.compress(TEXT)),
        ("gzip, gzip", gzip.compress(gzip.compress(TEXT, mtime=0), mtime=0)),
        ("br, gzip", gzip.compress(brotli.compress(TEXT), mtime=0)),
        ("identity, gzip", gzip.compress(TEXT, mtime=0)),
        ("gzip", gzip.compress(TEXT[:700], mtime=0) + gzip.compress(TEXT[700:], mtime=0)),
    ],
)
@pytest.mark.parametrize("piece_size", [1, 7, 4096, ROOMY])
def test_a_packed_body_is_the_same_in_pieces_of_any_size(
    encoding: str, packed: bytes, piece_size: int
) -> None:
    decoder = decoder_for(encoding, ROOMY)
    assert decoder is not None

    plain = b"".join(
        decoder.feed(packed[start : start + piece_size]) for start in range(0, len(packed), piece_size)
    )
    decoder.finish()

    assert plain == TEXT


@pytest.mark.parametrize(
    "encoding, pack", [("gzip", gzip.compress), ("deflate", raw_deflate), ("br", brotli.compress)]
)
@pytest.mark.parametrize("size", [2**18 - 1, 2**18, 2**18 + 1, 2**19, 3 * 2**18 + 5])
def test_nothing_is_left_behind_where_a_step_of_unpacking_ends(encoding: str, pack, size: int) -> None:
    decoder = decoder_for(encoding, ROOMY)
    assert decoder is not None

    plain = decoder.feed(pack(bytes(size)))
    decoder.finish()

    assert plain == bytes(size)


def test_a_body_of_countless_empty_parts_is_refused() -> None:
    decoder = decoder_for("gzip", ROOMY)
    assert decoder is not None

    with pytest.raises(BadResponse):
        decoder.feed(gzip.compress(b"") * 10_000)


@pytest.mark.parametrize("encoding", ["", "identity", " , "])
def test_plain_bytes_need_no_decoder(encoding: str) -> None:
    assert decoder_for(encoding, ROOMY) is None


@pytest.mark.parametrize(
    ("encoding", "bomb"),
    [
        ("gzip", gzip.compress(bytes(64 * 1024 * 1024), mtime=0)),
        ("deflate", zlib.compress(bytes(64 * 1024 * 1024))),
        ("br", brotli.compress(bytes(64 * 1024 * 1024), quality=5)),
    ],
)
def test_a_bomb_is_met_before_it_has_grown(encoding: str, bomb: bytes) -> None:
    decoder = decoder_for(encoding, ROOMY)
    assert decoder is not None
    tracemalloc.start()

    with pytest.raises(BodyTooLarge):
        decoder.feed(bomb)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * ROOMY


@pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("br", partial(brotli.compress, quality=5))]
)
def test_a_bomb_is_met_at_its_first_mebibyte_and_a_long_table_is_no_bomb(encoding: str, pack) -> None:
    table = b"".join(
        b"<tr class=row><td>%d</td><td>$%d.99</td></tr>" % (row, row % 97) for row in range(60_000)
    )
    patient = 1_000_000_000

    reader, victim = decoder_for(encoding, patient), decoder_for(encoding, patient)
    assert reader is not None
    assert victim is not None

    assert reader.feed(pack(table)) == table
    with pytest.raises(BodyTooLarge, match="200-fold"):
        victim.feed(pack(bytes(16 * 1024 * 1024)))


@pytest.mark.parametrize(("encoding", "pack"), [("gzip", gzip.compress), ("br", brotli.compress)])
def test_a_body_that_breaks_off_is_no_body(encoding: str, pack) -> None:
    decoder = decoder_for(encoding, ROOMY)
    assert decoder is not None
    decoder.feed(pack(TEXT)[:-4])

    with pytest.raises(BadResponse):
        decoder.finish()


@pytest.mark.parametrize("encoding", ["gzip", "br"])
def test_a_body_that_is_not_packed_as_it_says_is_refused(encoding: str) -> None:
    decoder = decoder_for(encoding, ROOMY)
    assert decoder is not None

    with pytest.raises(BadResponse):
        decoder.feed(TEXT)
        decoder.finish()


@pytest.mark.parametrize("encoding", ["zstd", "compress", "gzip, gzip, gzip", "x-unheard-of"])
def test_a_coding_we_did_not_offer_is_refused(encoding: str) -> None:
    with pytest.raises(BadResponse):
        decoder_for(encoding, ROOMY)
