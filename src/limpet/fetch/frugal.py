"""Connections that end once an origin sends far more wrapping than content.

Heads, interim answers and chunk marks cost time to read and are in no size cap: an origin that sends "100
Continue" for ever, or its page in chunks of one byte, would keep every other domain waiting. Measured: 10 MiB in
chunks of one byte take more than 10 s of our one loop, and half a megabyte of interim answers a tenth of a second.
"""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.streams import EMPTY_PAYLOAD, StreamReader

MOST_HEAD_BYTES = 64 * 1024
MOST_WRAPPING_BYTES = 192 * 1024
_CONTENT_PER_WRAPPING = 8  # beyond that, a chunk of 40 bytes on average is still fine
_SIP = 16 * 1024


class FrugalHandler(ResponseHandler):
    """The library's own reader of answers, which also counts what is not content."""

    _received = 0
    _answered_before: StreamReader | None = None

    def set_response_params(self, **params: Any) -> None:
        """A new request goes out on this connection: what came before no longer counts."""
        self._received, self._answered_before = 0, self._payload
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        # Until the head is through, little at a time: thousands of interim answers fit into one read.
        while len(data) > _SIP and self._content() is None and self.exception() is None:
            self._take(data[:_SIP])
            data = data[_SIP:]
        self._take(data)

    def _take(self, data: bytes) -> None:
        super().data_received(data)
        self._received += len(data)
        # While reading is paused, what was received is not all looked at: it may well be content.
        if self._received > MOST_HEAD_BYTES and not self._reading_paused and self.exception() is None:
            self._refuse_wrapping()

    def _content(self) -> StreamReader | None:
        """Return the body of the answer under way, once its head has been read."""
        payload = self._payload
        return None if payload is EMPTY_PAYLOAD or payload is self._answered_before else payload

    def _refuse_wrapping(self) -> None:
        content = self._content()
        if content is None:
            allowed = MOST_HEAD_BYTES
        else:
            allowed = (
                MOST_WRAPPING_BYTES
                + content.total_bytes * (1 + _CONTENT_PER_WRAPPING) // _CONTENT_PER_WRAPPING
            )
        if self._received <= allowed:
            return
        problem = HttpProcessingError(message="far more wrapping than content")
        self.set_exception(problem)
        if content is not None:
            content.set_exception(aiohttp.ClientPayloadError(problem.message))
        if self.transport is not None:
            self.transport.abort()


class FrugalConnector(aiohttp.TCPConnector):
    """A pool whose connections count what is not content."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        loop = asyncio.get_running_loop()
        self._factory = lambda: FrugalHandler(loop=loop)  # type: ignore[assignment]
