"""The API's own description, completed: how to prove who asks, what may be repeated, an example of everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from limpet.web.access.public import is_public
from limpet.web.api.examples import example_of

Document = dict[str, Any]
_BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token of `limpet tokens create`, or of the page /account. Its scope bounds what it may do.",
}
_ONCE = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Done once: said again within a day, the first answer is heard again; with another body, 409.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]+$"},
    "example": "6f1c0f52-8f0e-4c8e-9b77-0c5a3f1f7a10",
}
_UNCHANGED = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "The ETag of an earlier answer: if nothing changed, 304 and no body.",
    "schema": {"type": "string", "maxLength": 200, "pattern": "^[ -~]*$"},
    "example": 'W/"0c5a3f1f7a106f1c0f528f0e"',
}


def describe(app: FastAPI) -> Callable[[], Document]:
    """Return what makes the document, once."""

    def make() -> Document:
        if app.openapi_schema is None:
            plain = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
            app.openapi_schema = _completed(plain)
        return app.openapi_schema

    return make


def _completed(document: Document) -> Document:
    document.setdefault("components", {})["securitySchemes"] = {"token": _BEARER}
    for path, method, operation in operations(document):
        operation["security"] = [] if is_public(path) else [{"token": []}]
        if path.startswith("/api/v1/"):
            _say_what_repeats(method, operation)
        for content in _contents(operation):
            _exemplify(content, document)
    return document


def operations(document: Document) -> Iterator[tuple[str, str, Document]]:
    """Yield every operation with its path and method."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _say_what_repeats(method: str, operation: Document) -> None:
    if method == "post":
        operation.setdefault("parameters", []).append(_ONCE)
    elif method == "get":
        operation.setdefault("parameters", []).append(_UNCHANGED)
        operation["responses"]["304"] = {"description": "Nothing changed since that ETag."}


def _contents(operation: Document) -> Iterator[Document]:
    yield from operation.get("requestBody", {}).get("content", {}).values()
    for answer in operation["responses"].values():
        yield from answer.get("content", {}).values()


def _exemplify(content: Document, document: Document) -> None:
    schema = content.get("schema")
    if schema and "example" not in content and "examples" not in content:
        content["example"] = example_of(schema, document)
