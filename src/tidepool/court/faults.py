"""What only a court like this gets wrong. Everything else a server can do is in `tidepool.faults`."""

from __future__ import annotations

import base64
import csv
import io
import re

from tidepool.court.ajax import success
from tidepool.court.box import over
from tidepool.court.index_csv import BOM, COLUMNS
from tidepool.faults.behaviour import Act, Exchange, behaviour, register
from tidepool.site import Response, html

AJAX = "/wp-admin/admin-ajax.php"
INDEX = "*/judgments.csv"
PAGES = "/*s/"
CONTENT = "/d/1/*"
WAF = (
    "<!DOCTYPE html><html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center>"
    "<hr><center>Request blocked by web application firewall</center></body></html>"
)


def _says(text: str, *, status: int = 200) -> Act:
    async def act(_exchange: Exchange) -> Response:
        return Response(status, text.encode(), (("Content-Type", "text/html; charset=UTF-8"),))

    return act


for _name, _text, _status, _sentence in (
    ("ajax_minus_one_200", "-1", 200, "Refuses the nonce with `-1` and status 200."),
    ("ajax_minus_one_403", "-1", 403, "Refuses the nonce with `-1` and status 403."),
    ("ajax_firewall_403", WAF, 403, "Lets a firewall refuse the AJAX call with a page."),
    ("ajax_zero_200", "0", 200, "Claims not to know the action, with `0` and status 200."),
    ("ajax_zero_400", "0", 400, "Claims not to know the action, with `0` and status 400."),
    ("ajax_empty", "", 200, "Answers the AJAX call with nothing at all."),
    (
        "ajax_html_200",
        "<p>There has been a critical error on this website.</p>",
        200,
        "Answers in HTML, not JSON.",
    ),
    ("ajax_cut_json", '{"success":true,"data":{"fid":"http', 200, "Breaks its JSON off in the middle."),
):
    register(_name, _sentence, _says(_text, status=_status), at="court", paths=AJAX)


@behaviour(at="court", paths=AJAX)
async def ajax_success_false(_exchange: Exchange) -> Response:
    """Says in good JSON that it did not work."""
    return success(None, because="Unable to fetch file")


@behaviour(at="court", paths=AJAX)
async def ajax_no_address(_exchange: Exchange) -> Response:
    """Claims success but forgets to say where the document is."""
    return success({})


@behaviour(at="court", paths=AJAX)
async def ajax_empty_address(_exchange: Exchange) -> Response:
    """Claims success with an empty address."""
    return success({"fid": ""})


@behaviour(at="court", paths=AJAX, url="https://files.example.net/judgment.pdf")
async def ajax_foreign_address(_exchange: Exchange) -> Response:
    """Claims success with an address that is not Box's (`url`)."""
    return success({"fid": _exchange.text("url")})


@behaviour(at="court", paths=AJAX, key="download_url")
async def ajax_other_key(exchange: Exchange) -> Response:
    """Gives the address under another name (`key`)."""
    answer = await exchange.healthy()
    renamed = answer.body.replace(b'"fid"', f'"{exchange.text("key")}"'.encode(), 1)
    return Response(answer.status, renamed, answer.headers)


# -- the index ---------------------------------------------------------------------------------------------


async def _index(exchange: Exchange) -> list[list[str]]:
    text = (await exchange.healthy()).body.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


async def _rewritten(rows: list[list[str]]) -> Response:
    out = io.StringIO(newline="")
    out.write(BOM)
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return Response(200, out.getvalue().encode(), (("Content-Type", "text/csv"),))


@behaviour(at="court", paths=INDEX)
async def csv_without_header(exchange: Exchange) -> Response:
    """Sends the index without its header row."""
    return await _rewritten((await _index(exchange))[1:])


@behaviour(at="court", paths=INDEX)
async def csv_without_actions(exchange: Exchange) -> Response:
    """Sends the index without its Actions column."""
    return await _rewritten([row[:-1] for row in await _index(exchange)])


@behaviour(at="court", paths=INDEX)
async def csv_other_headers(exchange: Exchange) -> Response:
    """Names the columns of the index otherwise, and in another order."""
    names = dict(
        zip(
            COLUMNS,
            ("Citation", "Cause No.", "Date", "Case Title", "Subject", "Court", "Category", "Action"),
            strict=True,
        )
    )
    header, *rows = await _index(exchange)
    return await _rewritten([[names[name] for name in reversed(header)], *(row[::-1] for row in rows)])


@behaviour(at="court", paths=INDEX)
async def csv_cut_short(exchange: Exchange) -> Response:
    """Sends the first half of the index as if it were all of it."""
    body = (await exchange.healthy()).body
    return Response(200, body[: len(body) // 2], (("Content-Type", "text/csv"),))


@behaviour(at="court", paths=INDEX)
async def csv_is_html(_exchange: Exchange) -> Response:
    """Sends a page of HTML in place of the index, with status 200."""
    return html(
        "<!DOCTYPE html><html><body><h1>Briefly unavailable for scheduled maintenance.</h1></body></html>"
    )


@behaviour(at="court", paths=INDEX)
async def csv_header_only(exchange: Exchange) -> Response:
    """Sends an index that has a header row and nothing else."""
    return await _rewritten((await _index(exchange))[:1])


@behaviour(at="court", paths=INDEX, percent=50)
async def csv_mostly_gone(exchange: Exchange) -> Response:
    """Leaves `percent` of a hundred rows out of a well-formed index."""
    header, *rows = await _index(exchange)
    return await _rewritten(
        [header, *(row for at, row in enumerate(rows) if at % 100 >= exchange.count("percent"))]
    )


@behaviour(at="court", paths=INDEX)
async def csv_shuffled(exchange: Exchange) -> Response:
    """Sends the same rows in another order: nothing has changed, yet every byte is elsewhere."""
    header, *rows = await _index(exchange)
    return await _rewritten([header, *rows[1::2], *rows[::2]])


# -- the pages ---------------------------------------------------------------------------------------------

SCRIPT = re.compile(rb'<script id="box-ajax-js-extra">\s*(?P<said>.*?)\s*</script>', re.DOTALL)


@behaviour(at="court", paths=PAGES)
async def nonce_by_script(exchange: Exchange) -> Response:
    """Hides nonce and folder in a script that only a browser can run."""
    page = await exchange.healthy()
    found = SCRIPT.search(page.body)
    assert found is not None
    packed = base64.b64encode(found["said"])
    running = (
        b'<script>(function () { var told = document.createElement("script"); told.id = "box-ajax-js-extra"; '
        b'told.textContent = atob("' + packed + b'"); document.head.appendChild(told); })();</script>'
    )
    return Response(200, page.body.replace(found[0], running), page.headers)


@behaviour(at="court", paths=PAGES)
async def nonce_missing(exchange: Exchange) -> Response:
    """Shows the page with the decoy nonce alone."""
    page = await exchange.healthy()
    return Response(200, SCRIPT.sub(b"", page.body), page.headers)


# -- the documents -----------------------------------------------------------------------------------------


@behaviour(at="boxcdn", paths=CONTENT)
async def pdf_expired(exchange: Exchange) -> Response:
    """Treats a fresh signature as expired."""
    return over(sum(exchange.request.path.encode()))


@behaviour(at="boxcdn", paths=CONTENT)
async def pdf_is_html(_exchange: Exchange) -> Response:
    """Sends a page in place of the PDF, with status 200 and calling it a PDF."""
    page = html("<!DOCTYPE html><html><body>" + "<p>Preview is not available.</p>" * 60 + "</body></html>")
    return page.having(("Content-Type", "application/pdf"))


@behaviour(at="boxcdn", paths=CONTENT)
async def pdf_cut_short(exchange: Exchange) -> Response:
    """Sends the first two thirds of the PDF under a Content-Length that fits them."""
    page = await exchange.healthy()
    return Response(page.status, page.body[: 2 * len(page.body) // 3], page.headers)


@behaviour(at="boxcdn", paths=CONTENT)
async def pdf_tiny(exchange: Exchange) -> Response:
    """Sends a PDF too small to be a judgment."""
    return Response(200, b"%PDF-1.4\n%%EOF\n", (await exchange.healthy()).headers)
