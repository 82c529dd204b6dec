"""The court files page and its script, in English and in French."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tidepool.registry.texts import ENGLISH, ENGLISH_PATH, FRENCH, FRENCH_PATH, Texts
from tidepool.site import Request, Response, html, redirect

SCRIPT_PATH = "/Content/js/pages/courtfiles.js"
HERE = Path(__file__).parent / "templates"
TEMPLATES = Environment(
    loader=FileSystemLoader(HERE),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
PAGES = {ENGLISH_PATH: ENGLISH, FRENCH_PATH: FRENCH}


def page_at(request: Request, *, late_milliseconds: int) -> Response | None:
    """Return what a person's browser would load from this address, or None when that is nothing."""
    if request.path == "/":
        return redirect(request.base + ENGLISH_PATH)
    if request.path == SCRIPT_PATH:
        return Response(200, script(), (("Content-Type", "text/javascript; charset=utf-8"),))
    if request.path in ("/en/search", "/fr/search"):
        return html(
            "<!DOCTYPE html><title>Search</title><h1>Search this site</h1><p>No results were found.</p>"
        )
    if texts := PAGES.get(request.path):
        return html(court_files(texts, late_milliseconds), headers=(_session(request),))
    return None


@cache
def court_files(texts: Texts, late_milliseconds: int) -> str:
    """Return the page in one language; its script takes its time as told."""
    words = json.dumps(texts.for_script()).replace("<", "\\u003c")
    return TEMPLATES.get_template("courtfiles.html").render(text=texts, texts=words, late=late_milliseconds)


@cache
def script() -> bytes:
    """Return the page's script."""
    return (HERE / "courtfiles.js").read_bytes()


def _session(request: Request) -> tuple[str, str]:
    number = sum(request.headers.get("user-agent", "").encode()) * 7919
    return "Set-Cookie", f"ASP.NET_SessionId=tdp{number:x}; path=/; HttpOnly; SameSite=Lax"
