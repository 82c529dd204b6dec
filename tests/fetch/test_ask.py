"""What is asked of a site, and what a redirect may carry along."""

from __future__ import annotations

import pytest

from limpet.fetch.ask import Ask, headers_for
from limpet.source import Source
from limpet.target import Validators

SOURCE = Source(
    id="shop", app="prices", site="shop", hosts=("shop.example",), headers={"Accept-Language": "en"}
)
SECRETS = {"Authorization": "Bearer x", "Cookie": "a=b", "X-Plain": "1"}


def test_credentials_do_not_follow_to_another_origin() -> None:
    ask = Ask(headers=SECRETS, validators=Validators(etag='"1"'))

    abroad = ask.after_redirect(302, same_origin=False)

    assert abroad.headers == {"X-Plain": "1"}
    assert not abroad.validators


def test_credentials_stay_within_an_origin() -> None:
    assert Ask(headers=SECRETS).after_redirect(302, same_origin=True).headers == SECRETS


@pytest.mark.parametrize(
    ("status", "method", "has_body"),
    [(301, "GET", False), (302, "GET", False), (303, "GET", False), (307, "POST", True), (308, "POST", True)],
)
def test_a_form_is_posted_again_only_where_the_redirect_says_so(
    status: int, method: str, has_body: bool
) -> None:
    posted = Ask().with_form({"fname": "A1"})

    followed = posted.after_redirect(status, same_origin=True)

    assert followed.method == method
    assert (followed.data is not None) is has_body
    assert ("Content-Type" in followed.headers) is has_body


def test_headers_say_who_we_are_and_what_we_hold() -> None:
    headers = headers_for(SOURCE, Ask(validators=Validators('"v1"', "yesterday")), "Limpet/1 (+mail)")

    assert headers["User-Agent"] == "Limpet/1 (+mail)"
    assert headers["If-None-Match"] == '"v1"'
    assert headers["If-Modified-Since"] == "yesterday"
    assert headers["Accept-Language"] == "en"


def test_no_header_is_said_twice_in_two_spellings() -> None:
    headers = headers_for(SOURCE, Ask(headers={"accept": "*/*", "accept-language": "de"}), "Limpet/1")

    assert headers["Accept"] == "*/*"
    assert headers["Accept-Language"] == "de"
    assert len({name.lower() for name in headers}) == len(headers)


@pytest.mark.parametrize(
    ("ask", "is_conditional", "is_for_a_part"),
    [
        (Ask(), False, False),
        (Ask(validators=Validators(etag='"1"')), True, False),
        (Ask(kind="browser", headers={"if-none-match": '"1"'}), True, False),
        (Ask(kind="browser", headers={"If-Modified-Since": "yesterday"}), True, False),
        (Ask(kind="browser", headers={"range": "bytes=0-99"}), False, True),
    ],
)
def test_an_ask_knows_which_answers_it_invites(ask: Ask, is_conditional: bool, is_for_a_part: bool) -> None:
    assert (ask.is_conditional, ask.is_for_a_part) == (is_conditional, is_for_a_part)
