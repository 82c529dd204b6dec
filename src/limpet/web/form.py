"""Bodies that come as JSON or as a form, read within bounds and checked once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from limpet.errors import UsageError

B = TypeVar("B", bound=BaseModel)

LONGEST_BODY = 256 * 1024
MOST_FIELDS = 100


@dataclass(frozen=True, slots=True)
class FormOrJson:
    """How the API's own description tells of such a body."""

    shape: type[BaseModel]

    @property
    def described(self) -> dict[str, Any]:
        """The part of OpenAPI that says so."""
        schema = {"schema": self.shape.model_json_schema()}
        kinds = ("application/json", "application/x-www-form-urlencoded")
        return {"requestBody": {"content": dict.fromkeys(kinds, schema)}}


async def body_of(request: Request, shape: type[B]) -> B:
    """Return the body as that shape; raise RequestValidationError naming what is wrong."""
    fields = fields_of(await raw_body(request), request.headers.get("content-type", ""))
    try:
        return shape.model_validate({name: value for name, value in fields.items() if value != ""})
    except ValidationError as wrong:
        raise RequestValidationError(
            [{**each, "loc": ("body", *each["loc"])} for each in wrong.errors(include_url=False)]
        ) from wrong


async def raw_body(request: Request) -> bytes:
    """Return the body, or raise UsageError as soon as it is longer than anybody needs."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST_BODY:
            raise UsageError(
                f"The body is longer than {LONGEST_BODY:,} bytes.", fix="Send only what is asked for."
            )
    return bytes(body)


def fields_of(body: bytes, content_type: str) -> dict[str, Any]:
    """Return the fields of a JSON object or a form; an empty body has none. Raise UsageError for anything else."""
    if not body.strip():
        return {}
    if content_type.partition(";")[0].strip().lower() == "application/x-www-form-urlencoded":
        return _form(body)
    try:
        read = json.loads(body)
    except (ValueError, RecursionError) as wrong:
        raise UsageError("The body is neither JSON nor a form.", fix="Send application/json.") from wrong
    if not isinstance(read, dict):
        raise UsageError("The body is not a JSON object.", fix='Send something like {"mode": "new"}.')
    return read


def _form(body: bytes) -> dict[str, Any]:
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError as wrong:
        raise UsageError(
            "The form cannot be read.", fix="Send UTF-8, and no more than 100 fields."
        ) from wrong
