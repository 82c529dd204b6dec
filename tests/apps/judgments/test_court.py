"""The court's own ways, one by one: its nonce, its desk, Box's addresses, and what a whole PDF is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from limpet.apps.judgments.court.ajax import Handed, NonceRefused, read_answer
from limpet.apps.judgments.court.box import signed_url
from limpet.apps.judgments.court.session import session_in
from limpet.apps.judgments.errors import AjaxFault, AjaxUnreadable, InvalidBoxUrl
from limpet.apps.judgments.keys import file_keys
from limpet.apps.judgments.options import Options, options_of
from limpet.errors import ConfigError
from limpet.fetch.page import Page
from limpet.fetch.pdf import objection_to
from limpet.source import Source
from limpet.target.address import without_secret

NONCE, DECOY = "0123456789", "abcdef0123"
COURT = Source(id="court", app="judgments", site="judicial_ky", hosts=("judicial.ky", "*.boxcloud.com"))


def page(body: str | bytes) -> Page:
    content = body if isinstance(body, bytes) else body.encode()
    return Page(
        "https://judicial.ky/", "https://judicial.ky/", 200, {}, content, datetime(2026, 1, 1, tzinfo=UTC)
    )


# -- the nonce ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    [
        'var box_ajax = {"ajaxurl":"\\/wp-admin\\/admin-ajax.php","ajax_nonce":"%s","fid":"286692310418"};',
        "var box_ajax = { ajaxurl: '/wp-admin/admin-ajax.php', security: '%s', fid: 286692310418 };",
        'var boxAjax={"security":"%s","folder_id":"286692310418"}; jQuery.post(u,{action:"dl_bfile"});',
        'var security = "%s"; var fid = "286692310418"; function get() { return "dl_bfile"; }',
    ],
)
def test_nonce_and_folder_are_found_wherever_the_site_has_kept_them(script) -> None:
    decoy = (
        f'<script>var PT_CV_PUBLIC = {{"_nonce":"{DECOY}","ajaxurl":"/wp-admin/admin-ajax.php"}};</script>'
    )

    found = session_in(page(f"{decoy}<script>{script % NONCE}</script>"), "dl_bfile", cookies="pdb-sess=1")

    assert found is not None
    assert (found.nonce, found.folder_id, found.cookies) == (NONCE, "286692310418", "pdb-sess=1")


def test_the_folder_may_stand_on_the_buttons() -> None:
    script = f'<script>var a={{"ajaxurl":"/wp-admin/admin-ajax.php","ajax_nonce":"{NONCE}"}}</script>'
    body = f'{script}<i data-fid="286692310418">'

    found = session_in(page(body), "dl_bfile", cookies="")

    assert found is not None
    assert (found.nonce, found.folder_id) == (NONCE, "286692310418")


@pytest.mark.parametrize(
    "body",
    [
        f'<script>var PT = {{"_nonce":"{DECOY}","fid":"286692310418","ajaxurl":"admin-ajax.php"}};</script>',
        f'<script>var box_ajax = {{"ajax_nonce":"{NONCE}"}};</script>',
        f"<p>{NONCE} 286692310418</p>",
        "",
    ],
)
def test_a_decoy_or_half_of_what_is_needed_is_nothing(body) -> None:
    assert session_in(page(body), "dl_bfile", cookies="") is None


# -- the desk ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["fid", "url", "download_url", "link"])
def test_the_desk_hands_out_an_address_under_any_of_its_names(key) -> None:
    answer = page(f'{{"success":true,"data":{{"{key}":"https:\\/\\/dl.boxcloud.com\\/d\\/1"}}}}')

    assert read_answer(answer) == Handed("https://dl.boxcloud.com/d/1")


def test_the_desk_hands_out_a_file_number_with_its_token() -> None:
    assert read_answer(page('{"success":true,"data":{"fid":"123","t":"abc"}}')) == Handed("123", "abc")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("-1", NonceRefused),
        (" -1\n", NonceRefused),
        ("0", AjaxUnreadable),
        ("", AjaxUnreadable),
        ("<p>critical error</p>", AjaxUnreadable),
        ("[]", AjaxUnreadable),
        ('"text"', AjaxUnreadable),
        ('{"success":true}', AjaxUnreadable),
        ('{"success":true,"data":{}}', AjaxUnreadable),
        ('{"success":true,"data":{"fid":""}}', AjaxUnreadable),
        ('{"success":false,"data":"File not found"}', AjaxFault),
        ('{"data":{"fid":"https://dl.boxcloud.com/x"}}', AjaxFault),
    ],
)
def test_every_other_answer_is_one_of_the_ways_it_says_no(body, error) -> None:
    with pytest.raises(error):
        read_answer(page(body))


# -- Box ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "https://dl.boxcloud.com/d/1/x/download",
        "https://dl17.boxcloud.com/d",
        "https://public.boxcloud.com/d",
    ],
)
def test_addresses_of_box_are_followed(address) -> None:
    assert signed_url(Handed(address), COURT, Options()) == address


def test_a_file_number_becomes_an_address_of_the_api() -> None:
    url = signed_url(Handed("123", "a b&c"), COURT, Options())

    assert url == "https://api.box.com/2.0/files/123/content?access_token=a%20b%26c"


@pytest.mark.parametrize(
    "handed",
    [
        Handed("https://evil.example/d"),
        Handed("https://boxcloud.com.evil.example/d"),
        Handed("https://evilboxcloud.com/d"),
        Handed("https://dl.boxcloud.com@evil.example/d"),
        Handed("http://dl.boxcloud.com/d"),
        Handed("file:///etc/passwd"),
        Handed("javascript:alert(1)"),
        Handed("http://169.254.169.254/"),
        Handed("not an address"),
        Handed("../../etc", "token"),
    ],
)
def test_nothing_else_is(handed) -> None:
    with pytest.raises(InvalidBoxUrl) as refused:
        signed_url(handed, COURT, Options())

    assert "token" not in str(refused.value)


def test_what_is_signed_never_stays() -> None:
    signature = "b1!" + "0" * 40

    assert without_secret(f"https://dl.boxcloud.com/d/1/{signature}/download?x={signature}#y") == (
        "https://dl.boxcloud.com/d/1/…/download"
    )


# -- PDFs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "tail", "size", "reason"),
    [
        (b"%PDF-1.7", b"%%EOF\n", 5_000, ""),
        (b"\xef\xbb\xbf\n%PDF-1.4", b"%%EOF", 5_000, ""),
        (b"<!DOCTYPE html>", b"</html>", 5_000, "does not begin"),
        (b"%PDF-1.7", b"%%EOF\n", 800, "too few"),
        (b"%PDF-1.7", b"endobj", 5_000, "cut short"),
        (b"", b"", 0, "does not begin"),
    ],
)
def test_a_pdf_is_whole_from_its_first_bytes_to_its_last(head, tail, size, reason) -> None:
    found = objection_to(head, tail, size)

    assert (reason in found) if reason else found == ""


# -- keys and options --------------------------------------------------------------------------------------


def test_two_tokens_that_read_alike_never_share_a_file() -> None:
    keys = [key for _, _, key in file_keys("court", ["FSD-0151", "FSD0151", "fsd 0151"], taken={"OTHER"})]

    assert keys[0] == "FSD0151"
    assert len(set(keys)) == 3
    assert all(key.startswith("FSD0151-") for key in keys[1:])
    assert keys[1:] == [key for _, _, key in file_keys("court", ["FSD0151", "fsd 0151"], taken={"FSD0151"})]


@pytest.mark.parametrize("options", [{"colour": "red"}, {"most_removed": 2}, {"criminal_pattern": "("}])
def test_an_option_that_is_not_right_is_named(options) -> None:
    source = Source(id="court", app="judgments", site="judicial_ky", hosts=("judicial.ky",), options=options)

    with pytest.raises(ConfigError, match=next(iter(options))):
        options_of(source)
