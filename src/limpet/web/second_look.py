"""Whoever changes something sees it on the next page: what is remembered of the house is looked at again."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOOKING = frozenset({"GET", "HEAD", "OPTIONS"})


class SecondLook:
    """ASGI middleware: before a deed is answered, the lookout forgets what it saw."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in _LOOKING:
            await self._app(scope, receive, send)
            return

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                scope["app"].state.lookout.forget()
            await send(message)

        await self._app(scope, receive, tell)
