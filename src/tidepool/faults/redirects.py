"""Redirects that go on, go round, or go where they must not."""

from __future__ import annotations

from tidepool.faults.behaviour import Act, Exchange, behaviour, register
from tidepool.site import Response, html, redirect

HOP = "tidepool_hop"


def _port(exchange: Exchange) -> str:
    _, colon, port = exchange.request.host.rpartition(":")
    return colon + port if colon else ""


@behaviour(hops=20)
async def redirect_chain(exchange: Exchange) -> Response:
    """Redirects `hops` times before it shows the page."""
    hop = int(exchange.request.parameters.get(HOP, "0"))
    if hop >= exchange.count("hops"):
        return await exchange.healthy()
    return redirect(f"{exchange.request.base}{exchange.request.path}?{HOP}={hop + 1}")


@behaviour()
async def redirect_loop(exchange: Exchange) -> Response:
    """Redirects to itself."""
    return redirect(f"{exchange.request.base}{exchange.request.path}")


@behaviour()
async def redirect_ping_pong(exchange: Exchange) -> Response:
    """Redirects to and fro between two addresses."""
    there = "" if exchange.request.query else "?back=1"
    return redirect(f"{exchange.request.base}{exchange.request.path}{there}")


@behaviour(host="elsewhere.tidepool.localhost")
async def redirect_cross_host(exchange: Exchange) -> Response:
    """Redirects to the same path on another host (`host`)."""
    return redirect(f"http://{exchange.text('host')}{_port(exchange)}{exchange.request.path}")


@behaviour()
async def redirect_to_https(exchange: Exchange) -> Response:
    """Redirects to https on the same host, where nobody answers."""
    return redirect(f"https://{exchange.request.host}{exchange.request.path}", status=301)


@behaviour()
async def redirect_relative(exchange: Exchange) -> Response:
    """Redirects once with a relative Location, then shows the page."""
    if HOP in exchange.request.parameters:
        return await exchange.healthy()
    return redirect(f"?{HOP}=1", status=307)


@behaviour()
async def redirect_scheme_relative(exchange: Exchange) -> Response:
    """Redirects to another host by a Location that starts with two slashes."""
    return redirect(f"//elsewhere.tidepool.localhost{_port(exchange)}{exchange.request.path}")


@behaviour()
async def redirect_to_home(exchange: Exchange) -> Response:
    """Sends every page to the home page, as shops do with products they dropped."""
    if exchange.request.path == "/":
        return await exchange.healthy()
    return redirect("/", status=301)


@behaviour()
async def session_dropped(exchange: Exchange) -> Response:
    """Forgets who the visitor is: takes its cookie back and leads every question to the home page."""
    if exchange.request.path == "/":
        return await exchange.healthy()
    expired = ("Set-Cookie", "ASP.NET_SessionId=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT")
    return redirect("/").having(expired)


def _to(status: int = 302) -> Act:
    async def act(exchange: Exchange) -> Response:
        return redirect(exchange.text("to"), status=status)

    return act


for _name, _to_where, _sentence in (
    ("redirect_to_loopback", "http://127.0.0.1:1/", "Redirects to a loopback address (`to`)."),
    ("redirect_to_private", "http://10.0.0.1/", "Redirects to a private address (`to`)."),
    (
        "redirect_to_metadata",
        "http://169.254.169.254/latest/",
        "Redirects to a cloud's metadata service (`to`).",
    ),
    ("redirect_to_data", "data:text/html,<h1>hello</h1>", "Redirects to a data: address (`to`)."),
    ("redirect_to_file", "file:///etc/hostname", "Redirects to a file: address (`to`)."),
    ("redirect_to_javascript", "javascript:alert(1)", "Redirects to a javascript: address (`to`)."),
    ("redirect_to_ftp", "ftp://files.tidepool.localhost/page", "Redirects to an ftp: address (`to`)."),
    ("redirect_malformed", "http://[half-an-address/", "Redirects to something that is no address (`to`)."),
    (
        "redirect_with_password",
        "http://me:secret@shop.tidepool.localhost/",
        "Redirects with a password inside (`to`).",
    ),
):
    register(_name, _sentence, _to(), to=_to_where)


@behaviour()
async def redirect_nowhere(_exchange: Exchange) -> Response:
    """Says 302 but gives no Location."""
    return html("<h1>Found</h1>", status=302)


@behaviour(bytes=200_000)
async def redirect_giant_location(exchange: Exchange) -> Response:
    """Redirects to an address of `bytes` bytes."""
    return redirect("/" + "a" * exchange.count("bytes"))


@behaviour(to="http://10.0.0.1/")
async def refresh_header(exchange: Exchange) -> Response:
    """Shows an empty page whose Refresh header points elsewhere (`to`)."""
    return html("<p>One moment.</p>", headers=(("Refresh", f"0; url={exchange.text('to')}"),))


@behaviour(to="http://10.0.0.1/")
async def meta_refresh(exchange: Exchange) -> Response:
    """Shows an empty page whose meta refresh points elsewhere (`to`)."""
    return html(
        f'<html><head><meta http-equiv="refresh" content="0; url={exchange.text("to")}"></head></html>'
    )
