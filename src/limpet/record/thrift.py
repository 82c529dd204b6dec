"""Thrift's compact protocol, as much of it as a Parquet footer needs."""

from __future__ import annotations

from collections.abc import Sequence

TRUE, FALSE, I32, I64, BINARY, LIST, STRUCT = 1, 2, 5, 6, 8, 9, 12
_LONG_LIST = 15


class Struct:
    """A struct being written: fields in ascending order of their ids."""

    def __init__(self) -> None:
        self._out = bytearray()
        self._last = 0

    def i32(self, field: int, value: int) -> Struct:
        """Add a 32-bit number."""
        return self._field(field, I32, varint(zigzag(value)))

    def i64(self, field: int, value: int) -> Struct:
        """Add a 64-bit number."""
        return self._field(field, I64, varint(zigzag(value)))

    def text(self, field: int, value: str) -> Struct:
        """Add a text."""
        return self._field(field, BINARY, _binary(value))

    def struct(self, field: int, value: Struct) -> Struct:
        """Add a struct within this one."""
        return self._field(field, STRUCT, value.done())

    def structs(self, field: int, values: Sequence[Struct]) -> Struct:
        """Add a list of structs."""
        return self._field(field, LIST, _list(STRUCT, [value.done() for value in values]))

    def i32s(self, field: int, values: Sequence[int]) -> Struct:
        """Add a list of numbers."""
        return self._field(field, LIST, _list(I32, [varint(zigzag(value)) for value in values]))

    def texts(self, field: int, values: Sequence[str]) -> Struct:
        """Add a list of texts."""
        return self._field(field, LIST, _list(BINARY, [_binary(value) for value in values]))

    def done(self) -> bytes:
        """Return the struct, closed."""
        return bytes(self._out) + b"\x00"

    def _field(self, field: int, kind: int, content: bytes) -> Struct:
        step, self._last = field - self._last, field
        self._out.append((step << 4) | kind)
        self._out += content
        return self


def varint(value: int) -> bytes:
    """Return a number in as many bytes as it needs."""
    out = bytearray()
    while value > 0x7F:
        out.append((value & 0x7F) | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value: int) -> int:
    """Return a signed number as an unsigned one, small for small ones of either sign."""
    return (value << 1) ^ (value >> 63)


def _binary(text: str) -> bytes:
    content = text.encode()
    return varint(len(content)) + content


def _list(kind: int, items: Sequence[bytes]) -> bytes:
    size = len(items)
    head = bytes([(size << 4) | kind]) if size < _LONG_LIST else bytes([0xF0 | kind]) + varint(size)
    return head + b"".join(items)
