"""Connections that end once an origin sends far more wrapping than content.

Heads, interim answers and chunk marks cost time to read and are in no size cap: an origin that sends "100
Continue" for ever, or its page in chunks of one byte, would keep every other domain waiting. Measured: 10 MiB in
chunks of one byte take more than 10 s of our one loop, half a megabyte of wrapping a fifth of a second.
"""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import HttpProcessingError

MOST_WRAPPING_BYTES = 512 * 1024
_CONTENT_PER_WRAPPING = 8  # beyond that, a chunk of 40 bytes on average is still fine


class FrugalHandler(ResponseHandler):
    """The library's own reader of answers, which also counts what is not content."""

    _received = 0

    def set_response_params(self, **params: Any) -> None:
        """A new request goes out on this connection: what came before no longer counts."""
        self._received = 0
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._received += len(data)
        if self._received > MOST_WRAPPING_BYTES:
            self._refuse_wrapping()

    def _refuse_wrapping(self) -> None:
        content = self._payload.total_bytes if self._payload is not None else 0
        if self._received - content <= MOST_WRAPPING_BYTES + content // _CONTENT_PER_WRAPPING:
            return
        problem = HttpProcessingError(message="far more wrapping than content")
        self.set_exception(problem)
        if self._payload is not None:
            self._payload.set_exception(aiohttp.ClientPayloadError(problem.message))
        if self.transport is not None:
            self.transport.abort()


class FrugalConnector(aiohttp.TCPConnector):
    """A pool whose connections count what is not content."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        loop = asyncio.get_running_loop()
        self._factory = lambda: FrugalHandler(loop=loop)  # type: ignore[assignment]
