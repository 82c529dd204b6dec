"""The API explained on a page of our own: read from the OpenAPI document, without anybody's script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from limpet.web.rendering import render

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One thing that can be asked."""

    path: str
    says: str
    parameters: list[tuple[str, str]]  # name, what it is
    method: str = "GET"


@router.get("/api")
@router.get("/api/docs")
async def guide(request: Request) -> Response:
    """List what can be asked, for people."""
    described = request.app.openapi()
    context = {"endpoints": _endpoints(described), "host": request.headers.get("host", "127.0.0.1")}
    return render(request, "api.html", context)


def _endpoints(described: dict[str, Any]) -> list[Endpoint]:
    shapes = described.get("components", {}).get("schemas", {})
    return [
        Endpoint(path, operation.get("description", ""), _parameters(operation, shapes), method.upper())
        for path, asked in described["paths"].items()
        for method, operation in asked.items()
    ]


def _parameters(operation: dict[str, Any], shapes: dict[str, Any]) -> list[tuple[str, str]]:
    listed = [each for each in operation.get("parameters", ()) if each["in"] == "query"]
    return [(each["name"], each.get("description", "")) for each in listed] + _fields(operation, shapes)


def _fields(operation: dict[str, Any], shapes: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the fields of the body, if one is sent; of a body that may be one of several, those of each."""
    content = operation.get("requestBody", {}).get("content", {})
    found: dict[str, str] = {}
    for sent in content.values():
        schema = sent.get("schema", {})
        for each in (schema, *schema.get("anyOf", ())):
            named = shapes.get(each.get("$ref", "").rpartition("/")[2], each)
            found |= {
                name: known.get("description", "") for name, known in named.get("properties", {}).items()
            }
    return list(found.items())
