"""Challenge pages are told from content by what only they carry."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.fetch.challenge import looks_blocked, looks_closed

SAVED_PAGES = Path(__file__).parents[2].parent / "shared" / "pages"
CONTENT = b"<p>Plenty of honest words about boots and their soles.</p>" * 600


@pytest.mark.parametrize("status", [200, 403, 503])
@pytest.mark.parametrize(
    "title",
    [
        "Just a moment...",
        "Attention Required! | Cloudflare",
        "Access Denied",
        "Robot Check",
        "Pardon Our Interruption",
        "Verify you are human",
        "Captcha",
        "Access to this page has been denied.",
    ],
)
def test_a_refusing_title_is_a_sign_whatever_the_status(status: int, title: str) -> None:
    body = f"<html><head><title>{title}</title></head><body>{'x' * 60_000}</body></html>".encode()

    assert looks_blocked(status, {}, body)


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body><script>window._cf_chl_opt={cvId:'3'}</script></body></html>",
        b"<script src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1'></script>",
        b"<iframe src='https://geo.captcha-delivery.com/captcha/?x'></iframe>",
        b"<h1>Please verify you are human</h1><div class='g-recaptcha' data-sitekey='k'></div>",
        b"<p>We have detected unusual traffic. <img src='/captcha.png'></p>",
    ],
)
def test_a_small_page_with_the_machinery_of_a_challenge_is_blocked_even_with_200(body: bytes) -> None:
    assert looks_blocked(200, {"content-type": "text/html"}, body)


LOGIN = b"<title>Log in - My account</title><form><input name=u><input name=p type='password'></form>"
NOTICE = b"<title>Maintenance</title><h1>Briefly unavailable for scheduled maintenance.</h1>"


def test_a_small_page_that_only_asks_for_a_password_is_a_wall() -> None:
    assert looks_blocked(200, {}, LOGIN) == "login_wall"


@pytest.mark.parametrize(
    "body",
    [
        LOGIN + CONTENT,
        LOGIN.replace(b"Log in - My account", b"Boots"),
        b"<title>Sign in brass, 20 cm</title><p>In stock</p>",
    ],
)
def test_a_login_form_beside_content_is_no_wall(body: bytes) -> None:
    assert looks_blocked(200, {}, body) is None


def test_a_maintenance_notice_is_told_from_content() -> None:
    assert looks_closed(NOTICE)
    assert not looks_closed(NOTICE + CONTENT)
    assert not looks_closed(b"<title>Maintenance kit for pumps</title><p>In stock</p>")
    assert not looks_closed(b"<title>Boots</title><p>Our shop was down for maintenance yesterday.</p>")


def test_the_header_of_a_mitigation_is_believed() -> None:
    assert looks_blocked(200, {"cf-mitigated": "challenge"}, CONTENT) == "header:cf_mitigated"


@pytest.mark.parametrize(
    "body",
    [
        b"<title>Boots</title>" + CONTENT + b"<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'>",
        b"<title>Boots</title><script src='https://www.google.com/recaptcha/api.js'></script>" + CONTENT,
        b"<title>Blocked Creek camping stove</title>" + CONTENT,
        b"<title>Captcha the cat - plush toy</title><h1>Captcha the cat</h1>",
        b"<title>Boots</title><p>In stock</p><form><div class='g-recaptcha'></div></form>",
        b"<title>Boots</title><p>In stock</p><script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'>",
        b'{"items": [{"title": "not a page at all"}]}',
        b"%PDF-1.7 ...",
        b"",
    ],
)
def test_content_that_mentions_the_machinery_is_not_a_challenge(body: bytes) -> None:
    assert looks_blocked(200, {}, body) is None


def test_an_ordinary_server_fault_is_not_a_challenge() -> None:
    assert looks_blocked(503, {}, b"<h1>Service unavailable</h1>") is None


@pytest.mark.skipif(not SAVED_PAGES.exists(), reason="the saved pages are not part of the project")
def test_saved_healthy_pages_are_not_challenges() -> None:
    signs = {path.name: looks_blocked(200, {}, path.read_bytes()) for path in SAVED_PAGES.iterdir()}

    assert set(signs.values()) == {None}
