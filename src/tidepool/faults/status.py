"""Statuses that refuse, fail, or make no sense."""

from __future__ import annotations

import time
from email.utils import formatdate

from tidepool.faults.behaviour import Act, Exchange, behaviour, register
from tidepool.site import Response, html

BURST = (500, 502, 503, 504)


def _always(status: int) -> Act:
    async def act(_exchange: Exchange) -> Response:
        return html(f"<h1>{status}</h1>", status=status)

    return act


for _name, _status, _sentence in (
    ("unauthorized_401", 401, "Asks for credentials nobody gave us."),
    ("payment_required_402", 402, "Wants to be paid first."),
    ("forbidden_403", 403, "Refuses plainly, without a challenge page."),
    ("not_found_404", 404, "Claims the page does not exist."),
    ("not_acceptable_406", 406, "Finds our Accept header unacceptable."),
    ("gone_410", 410, "Says the page has gone for good."),
    ("rate_limited_bare", 429, "Asks us to slow down without saying for how long."),
    ("legal_451", 451, "Is unavailable for legal reasons."),
    ("server_error_500", 500, "Breaks on its own side."),
    ("bad_gateway_502", 502, "Cannot reach what stands behind it."),
    ("unavailable_bare", 503, "Is unavailable and does not say for how long."),
    ("gateway_timeout_504", 504, "Waited too long for what stands behind it."),
):
    register(_name, _sentence, _always(_status))


def _busy(status: int, *, as_date: bool) -> Act:
    async def act(exchange: Exchange) -> Response:
        seconds = exchange.count("retry_after")
        # A date has whole seconds: round up, or the visitor may rightly come back early.
        value = formatdate(time.time() + seconds + 1, usegmt=True) if as_date else str(seconds)
        return html(f"<h1>{status}</h1>", status=status, headers=(("Retry-After", value),))

    return act


for _name, _status, _as_date, _sentence in (
    ("rate_limited_seconds", 429, False, "Asks us to slow down for `retry_after` seconds."),
    ("rate_limited_date", 429, True, "Asks us to slow down until a date `retry_after` seconds away."),
    ("unavailable_seconds", 503, False, "Is unavailable for `retry_after` seconds."),
    ("unavailable_date", 503, True, "Is unavailable until a date `retry_after` seconds away."),
):
    register(_name, _sentence, _busy(_status, as_date=_as_date), retry_after=2)


@behaviour(value="soon")
async def rate_limited_nonsense(exchange: Exchange) -> Response:
    """Asks us to slow down with a Retry-After that is neither number nor date (`value`)."""
    return html("<h1>429</h1>", status=429, headers=(("Retry-After", exchange.text("value")),))


@behaviour()
async def server_error_burst(exchange: Exchange) -> Response:
    """Fails with 500, 502, 503 and 504, a different one for each path."""
    status = BURST[sum(exchange.request.path.encode()) % len(BURST)]
    return html(f"<h1>{status}</h1>", status=status)


@behaviour()
async def no_content_204(_exchange: Exchange) -> Response:
    """Succeeds with nothing to say."""
    return Response(204)


@behaviour()
async def partial_206(exchange: Exchange) -> Response:
    """Sends the first half of the page as a range nobody asked for."""
    page = await exchange.healthy()
    half, whole = len(page.body) // 2, len(page.body)
    part = Response(206, page.body[:half], page.headers)
    return part.having(("Content-Range", f"bytes 0-{half - 1}/{whole}"))


@behaviour()
async def status_999(_exchange: Exchange) -> Response:
    """Answers with a status no standard knows."""
    return html("<h1>Request denied</h1>", status=999)


@behaviour()
async def not_modified_unasked(_exchange: Exchange) -> Response:
    """Answers 304 with a wrong ETag although it never sent a page."""
    return Response(304, headers=(("ETag", '"never-sent"'),))


@behaviour()
async def etag_always_fresh(exchange: Exchange) -> Response:
    """Sends the same page under a new ETag every time, so that nothing is ever unchanged."""
    page = await exchange.healthy()
    return page.without("Last-Modified").having(("ETag", f'"{time.time_ns():x}"'))
