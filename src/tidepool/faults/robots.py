"""Every robots.txt a site may have. These touch /robots.txt and nothing else unless a path is named."""

from __future__ import annotations

from tidepool.faults.behaviour import Act, Exchange, behaviour, register
from tidepool.site import Response, html, plain, redirect


def _says(text: str, status: int = 200) -> Act:
    async def act(_exchange: Exchange) -> Response:
        return plain(text, status=status)

    return act


for _name, _sentence, _text, _status in (
    ("robots_allow_all", "Allows everything.", "User-agent: *\nDisallow:\n", 200),
    ("robots_deny_all", "Forbids everything to everyone.", "User-agent: *\nDisallow: /\n", 200),
    ("robots_empty", "Is an empty file, which allows everything.", "", 200),
    ("robots_401", "Hides its robots.txt behind credentials.", "Unauthorized", 401),
    ("robots_403", "Forbids even its robots.txt.", "Forbidden", 403),
    ("robots_404", "Has no robots.txt.", "Not found", 404),
    ("robots_410", "Had a robots.txt once.", "Gone", 410),
    ("robots_429", "Is too busy to show its robots.txt.", "Too many requests", 429),
    ("robots_500", "Breaks on its robots.txt.", "Server error", 500),
    ("robots_503", "Has no robots.txt to show just now.", "Unavailable", 503),
):
    register(_name, _sentence, _says(_text, _status))


@behaviour(path="/product/")
async def robots_deny_path(exchange: Exchange) -> Response:
    """Forbids everything below `path`."""
    return plain(f"User-agent: *\nDisallow: {exchange.text('path')}\n")


@behaviour(agent="limpet")
async def robots_deny_agent(exchange: Exchange) -> Response:
    """Forbids everything to one agent (`agent`) and nothing to the others."""
    return plain(f"User-agent: {exchange.text('agent')}\nDisallow: /\n\nUser-agent: *\nDisallow:\n")


@behaviour(seconds=3)
async def robots_crawl_delay(exchange: Exchange) -> Response:
    """Allows everything but asks for `seconds` between requests."""
    return plain(f"User-agent: *\nCrawl-delay: {exchange.count('seconds')}\nDisallow:\n")


@behaviour()
async def robots_timeout(exchange: Exchange) -> None:
    """Never answers when asked for its robots.txt."""
    await exchange.until_visitor_leaves()


@behaviour()
async def robots_reset(exchange: Exchange) -> None:
    """Resets the connection when asked for its robots.txt."""
    exchange.reset()


@behaviour(kibibytes=2048)
async def robots_huge(exchange: Exchange) -> Response:
    """Forbids /product/ in its first lines and goes on for `kibibytes` KiB."""
    line = "Disallow: /nothing-of-interest/here/either/\n"
    return plain(
        "User-agent: *\nDisallow: /product/\n" + line * (exchange.count("kibibytes") * 1024 // len(line))
    )


@behaviour()
async def robots_endless(exchange: Exchange) -> None:
    """Never comes to the end of its robots.txt."""
    await exchange.begin(200, (("Content-Type", "text/plain"), ("Connection", "close")))
    await exchange.send_forever(b"# and another thing\n" * 2048)


@behaviour()
async def robots_redirect(exchange: Exchange) -> Response:
    """Redirects its robots.txt once, to a file that forbids /product/."""
    if exchange.request.query:
        return plain("User-agent: *\nDisallow: /product/\n")
    return redirect("/robots.txt?moved=1", status=301)


@behaviour()
async def robots_redirect_loop(_exchange: Exchange) -> Response:
    """Redirects its robots.txt to itself."""
    return redirect("/robots.txt", status=301)


@behaviour()
async def robots_bom(_exchange: Exchange) -> Response:
    """Starts its robots.txt with a byte order mark and forbids /product/."""
    return plain("\ufeffUser-agent: *\nDisallow: /product/\n")


@behaviour()
async def robots_html(_exchange: Exchange) -> Response:
    """Shows an HTML page with status 200 in place of its robots.txt."""
    return html("<!DOCTYPE html><html><body><h1>Page not found</h1><p>Try the search.</p></body></html>")


@behaviour()
async def robots_wrong_charset(_exchange: Exchange) -> Response:
    """Writes its robots.txt in UTF-16."""
    return Response(200, "User-agent: *\nDisallow: /\n".encode("utf-16"), (("Content-Type", "text/plain"),))
