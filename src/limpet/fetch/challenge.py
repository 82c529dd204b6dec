"""Tell a captcha or "access denied" page from content, whatever its status.

Healthy pages mention the same machinery: shops load reCAPTCHA for their forms, and Cloudflare injects a
`challenge-platform/scripts/jsd` beacon into pages it lets through. So a word alone proves nothing; what
counts is the page's title, a header that says so, or - in pages too small for content - the machinery itself.
"""

from __future__ import annotations

from collections.abc import Mapping

# Larger pages hold content; a challenge is a form and a script. It also keeps the healthy path cheap.
SMALL_PAGE_BYTES = 20_000
_HEAD_BYTES = 4_096

_TITLES = (
    (b"just a moment", "title:just_a_moment"),
    (b"attention required", "title:attention_required"),
    (b"access denied", "title:access_denied"),
    (b"access to this page has been denied", "title:access_denied"),
    (b"403 forbidden", "title:forbidden"),
    (b"security check", "title:security_check"),
    (b"security verification", "title:security_check"),
    (b"robot check", "title:robot_check"),
    (b"bot verification", "title:robot_check"),
    (b"are you a robot", "title:robot_check"),
    (b"are you human", "title:human_check"),
    (b"human verification", "title:human_check"),
    (b"verify you are human", "title:human_check"),
    (b"verifying you are human", "title:human_check"),
    (b"please verify you are", "title:human_check"),
    (b"pardon our interruption", "title:interruption"),
    (b"ddos protection", "title:ddos_protection"),
    (b"ddos-guard", "title:ddos_protection"),
    (b"captcha", "title:captcha"),
    (b"checking your browser", "title:checking_browser"),
    (b"one more step", "title:one_more_step"),
    (b"request rejected", "title:request_rejected"),
    (b"you have been blocked", "title:blocked"),
    (b"blocked", "title:blocked"),
)

_PHRASES = tuple(phrase for phrase, _ in _TITLES)

# Only a challenge page carries these; none of them is the beacon of a page that was let through.
_MACHINERY = (
    (b"_cf_chl_opt", "cloudflare_challenge"),
    (b"challenge-platform/h/", "cloudflare_challenge"),
    (b"cf-browser-verification", "cloudflare_challenge"),
    (b"captcha-delivery.com", "datadome_challenge"),
    (b"_incapsula_resource", "incapsula_challenge"),
    (b"px-captcha", "perimeterx_challenge"),
    (b"ak_bmsc_challenge", "akamai_challenge"),
    (b"awswafintegration", "aws_waf_challenge"),
    (b"sgcaptcha", "siteground_challenge"),
)
_WIDGETS = (b"g-recaptcha", b"h-captcha", b"cf-turnstile", b"captcha")
_PLEAS = (
    b"you are human",
    b"you are a human",
    b"you're human",
    b"you are not a robot",
    b"you're not a robot",
    b"not a bot",
    b"unusual traffic",
    b"automated access",
    b"automated requests",
    b"complete the security check",
    b"complete the captcha",
    b"solve the captcha",
    b"enable javascript and cookies to continue",
    b"checking your browser",
)


# A login form is only a wall where there is hardly anything else; shops show one beside their products.
_LOGIN_TITLES = (b"log in", b"login", b"log-in", b"sign in", b"please log in", b"please sign in")
_PASSWORD_FIELDS = (b'type="password"', b"type='password'", b"type=password")
_CLOSED_TITLES = (b"maintenance", b"site maintenance", b"under maintenance", b"scheduled maintenance")
_CLOSED_WORDS = (
    b"unavailable for scheduled maintenance",
    b"down for maintenance",
    b"undergoing maintenance",
    b"undergoing scheduled maintenance",
)


def looks_closed(body: bytes) -> bool:
    """Whether this small page says that the site is being worked on and shows nothing else."""
    if len(body) > SMALL_PAGE_BYTES:
        return False
    text = body.lower()
    return _title_in(text).startswith(_CLOSED_TITLES) and any(words in text for words in _CLOSED_WORDS)


def looks_blocked(status: int, headers: Mapping[str, str], body: bytes) -> str | None:
    """Return the name of the sign that this is a challenge or refusal instead of content, or None."""
    if headers.get("cf-mitigated") == "challenge":
        return "header:cf_mitigated"
    head = body[:_HEAD_BYTES].lower()
    sign = _title_sign(head)
    if sign is not None:
        return sign
    if len(body) > SMALL_PAGE_BYTES:
        return _machinery_sign(head) if status >= 400 else None
    return _small_page_sign(status, head + body[_HEAD_BYTES:].lower())


def _title_in(head: bytes) -> bytes:
    start = head.find(b"<title")
    if start < 0:
        return b""
    end = head.find(b"</title", start)
    return head[head.find(b">", start) + 1 : end if end >= 0 else start + 200].strip()


def _title_sign(head: bytes) -> str | None:
    words = _title_in(head)
    if not words.startswith(_PHRASES):
        return None
    for phrase, sign in _TITLES:
        # A refusal opens with its phrase; a product may merely contain one ("Blocked Creek camping stove").
        if words.startswith(phrase) and (len(words) <= len(phrase) + 40):
            return sign if _stands_alone(words, phrase) else None
    return None


def _stands_alone(words: bytes, phrase: bytes) -> bool:
    """Whether the phrase is the sentence, not the first words of somebody's product name."""
    rest = words[len(phrase) :].lstrip()
    return not rest or not rest[:1].isalnum() or phrase.count(b" ") > 1


def _machinery_sign(text: bytes) -> str | None:
    return next((sign for needle, sign in _MACHINERY if needle in text), None)


def _small_page_sign(status: int, text: bytes) -> str | None:
    sign = _machinery_sign(text)
    if sign is not None:
        return sign
    if _title_in(text).startswith(_LOGIN_TITLES) and any(field in text for field in _PASSWORD_FIELDS):
        return "login_wall"
    pleads = any(plea in text for plea in _PLEAS)
    if pleads and (status in (401, 403, 429, 503) or any(widget in text for widget in _WIDGETS)):
        return "plea:captcha"
    if status in (401, 403) and b"access denied" in text:
        return "plea:access_denied"
    return None
