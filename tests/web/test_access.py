"""Who comes in: everything is closed but a few doors, roles and scopes hold, and nobody else's page can act."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import cache
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import pytest

from limpet.record.access.accounts import add_account, find_account, set_role
from limpet.record.access.passwords import hash_password
from limpet.record.access.roles import Role, Scope
from limpet.record.access.secrets import forgery_token
from limpet.record.access.sessions import new_link, open_session
from limpet.record.access.tokens import create_token, revoke_token

PASSWORD = "barnacles hold on tight"
PUBLIC = {
    ("GET", "/login"),
    ("POST", "/login"),
    ("GET", "/enter/{secret}"),
    ("GET", "/static/{name}"),
    ("GET", "/health"),
    ("GET", "/api/v1/health"),
    ("GET", "/ready"),
}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def filled(path: str) -> str:
    return re.sub(r"\{[^}]+\}", "1", path)


def do(portal: Any, work: Any) -> Any:
    """Write something into the portal's ledger."""

    async def write(house: Any) -> Any:
        return await house.ledger.write(lambda connection: work(connection, house.clock.now()))

    return portal.do(write)


@cache
def kept_hash(password: str) -> str:
    """The password as it is kept; hashing is slow on purpose, and once is enough here."""
    return hash_password(password)


def new_account(portal: Any, name: str, role: Role, *, password: str | None = None) -> None:
    hashed = None if password is None else kept_hash(password)
    do(portal, lambda c, now: add_account(c, name, role=role, password_hash=hashed, by="test", now=now))


def token_for(portal: Any, name: str, scope: Scope, **terms: Any) -> tuple[int, str]:
    def make(connection: Any, now: Any) -> tuple[int, str]:
        terms_now = {"days": None} | terms
        return create_token(connection, "t", account=name, scope=scope, by="test", now=now, **terms_now)

    return do(portal, make)


def session_for(portal: Any, name: str, *, lives: timedelta = timedelta(hours=1)) -> str:
    def begin(connection: Any, now: Any) -> str:
        account = find_account(connection, name)
        return open_session(connection, account.id, lives=lives, address="::1", now=now)

    return do(portal, begin)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def sign_in(portal: Any, name: str, password: str, **more: str) -> Any:
    fields = urlencode({"name": name, "password": password, "next": more.pop("then", "/")})
    return portal.ask("POST", "/login", headers=FORM | more, body=fields.encode())


def test_nothing_is_open_but_the_few_public_doors(portal: Any) -> None:
    routes = set(portal.routes())
    open_to_all = set()

    for method, path in sorted(routes):
        if method == "GET" and path in ("/enter/{secret}", "/login", "/static/{name}"):
            open_to_all.add((method, path))
            continue
        answer = portal.ask(method, filled(path), body=b"" if method != "GET" else None)
        is_shut = answer.status in (401, 303) and answer.headers.get("location", "/login").startswith(
            "/login"
        )
        if not is_shut or (method, path) == ("POST", "/login"):
            open_to_all.add((method, path))

    assert len(routes) > 30
    assert open_to_all <= PUBLIC | {each for each in routes if each[1].startswith("/webhook/")}
    assert {each for each in PUBLIC if each in routes} <= open_to_all


def test_an_address_nobody_serves_tells_strangers_nothing(portal: Any) -> None:
    assert portal.ask("GET", "/nowhere").headers["location"] == "/login?next=%2Fnowhere"
    assert portal.ask("GET", "/api/v1/nowhere").status == 401


def test_health_names_no_source_to_strangers(portal: Any) -> None:
    asked_by_nobody, asked_by_us = portal.ask("GET", "/health").json(), portal.get("/health").json()

    assert asked_by_nobody["findings"] == [] and asked_by_nobody["status"] == asked_by_us["status"]
    assert asked_by_us["findings"]


@pytest.mark.parametrize(
    "said", ["", "Bearer", "Bearer ", "Bearer lmp_wrong", "Basic dGVzdGVyOng=", "Bearer é", "lmp_x"]
)
def test_strange_tokens_open_nothing(portal: Any, said: str) -> None:
    answer = portal.ask("GET", "/api/v1/runs", headers={"Authorization": said.encode().decode("latin-1")})

    assert answer.status == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["code"] == "access.not_signed_in"


def test_revoked_and_outlived_tokens_open_nothing(portal: Any) -> None:
    new_account(portal, "owner-of-tokens", Role.VIEWER)
    revoked_id, revoked = token_for(portal, "owner-of-tokens", Scope.READ)
    _, outlived = token_for(portal, "owner-of-tokens", Scope.READ, days=-1)
    before = portal.ask("GET", "/api/v1/runs", headers=bearer(revoked)).status

    do(portal, lambda c, now: revoke_token(c, revoked_id, by="test", reason="lost", now=now))

    assert before == 200
    assert portal.ask("GET", "/api/v1/runs", headers=bearer(revoked)).status == 401
    assert portal.ask("GET", "/api/v1/runs", headers=bearer(outlived)).status == 401


def test_a_token_never_does_more_than_its_scope_or_its_account(portal: Any) -> None:
    new_account(portal, "scoped", Role.OPERATOR)
    _, for_metrics = token_for(portal, "scoped", Scope.METRICS)
    _, for_admin = token_for(portal, "scoped", Scope.ADMIN)

    assert portal.ask("GET", "/metrics", headers=bearer(for_metrics)).status == 200
    assert portal.ask("GET", "/api/v1/runs", headers=bearer(for_metrics)).status == 403
    assert portal.ask("GET", "/accounts", headers=bearer(for_admin)).status == 403


def test_a_viewer_changes_nothing(portal: Any) -> None:
    new_account(portal, "onlooker", Role.VIEWER)
    secret = session_for(portal, "onlooker")
    headers = FORM | {"Cookie": f"limpet_session={secret}"}

    for method, path in portal.routes():
        if method == "GET" or path.startswith(
            ("/login", "/logout", "/account/", "/api/v1/account/", "/webhook/")
        ):
            continue
        body = urlencode({"csrf": forgery_token(secret)}).encode()
        answer = portal.ask(method, filled(path), headers=headers, body=body)
        assert answer.status == 403, (method, path)


def test_no_change_by_cookie_without_its_token(portal: Any) -> None:
    headers = FORM | {"Cookie": f"limpet_session={portal.session}"}

    for method, path in portal.routes():
        if method == "GET" or path.startswith(("/login", "/webhook/")):
            continue
        for body in (b"", b"csrf=wrong", urlencode({"csrf": forgery_token("another")}).encode()):
            answer = portal.ask(method, filled(path), headers=headers, body=body)
            assert answer.status in (403, 422), (method, path, answer.text[:200])
        before_parsing = portal.ask(method, filled(path), headers=headers | {"Origin": "https://evil.test"})
        assert before_parsing.status == 403, (method, path)


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"Origin": "https://evil.test"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_cannot_sign_anybody_in(portal: Any, elsewhere: dict[str, str]) -> None:
    answer = sign_in(portal, "tester", PASSWORD, **elsewhere)

    assert answer.status == 403
    assert "set-cookie" not in answer.headers


def test_a_password_opens_a_session_that_a_password_change_ends(portal: Any) -> None:
    new_account(portal, "walker", Role.VIEWER, password=PASSWORD)

    answer = sign_in(portal, "Walker", PASSWORD, then="/runs?state=failed")
    cookie = answer.headers["set-cookie"]
    secret = re.match(r"limpet_session=([^;]+)", cookie)

    assert answer.status == 303 and answer.headers["location"] == "/runs?state=failed"
    assert secret is not None
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and "Path=/" in cookie
    mine = {"Cookie": f"limpet_session={secret[1]}"}
    assert portal.ask("GET", "/", headers=mine).status == 200

    fields = {"csrf": forgery_token(secret[1]), "old": PASSWORD, "new": "limpets hold on tighter"}
    changed = portal.ask("POST", "/account/password", headers=FORM | mine, body=urlencode(fields).encode())

    assert changed.status == 303
    assert portal.ask("GET", "/", headers=mine).status == 303
    assert sign_in(portal, "walker", PASSWORD).status == 401
    assert sign_in(portal, "walker", "limpets hold on tighter").status == 303


def test_signing_in_again_ends_the_session_the_browser_had(portal: Any) -> None:
    new_account(portal, "returner", Role.VIEWER, password=PASSWORD)
    planted = session_for(portal, "returner")

    answer = sign_in(portal, "returner", PASSWORD, Cookie=f"limpet_session={planted}")

    assert planted not in answer.headers["set-cookie"]
    assert portal.ask("GET", "/", headers={"Cookie": f"limpet_session={planted}"}).status == 303


def test_beyond_loopback_the_cookie_travels_only_over_tls(portal: Any) -> None:
    new_account(portal, "traveller", Role.VIEWER, password=PASSWORD)
    fields = urlencode({"name": "traveller", "password": PASSWORD}).encode()

    over_tls = portal.ask(
        "POST", "/login", host="10.0.0.7", headers=FORM | {"Origin": "https://10.0.0.7"}, body=fields
    )
    in_clear = portal.ask(
        "POST", "/login", host="10.0.0.7", headers=FORM | {"Origin": "http://10.0.0.7"}, body=fields
    )

    assert over_tls.headers["set-cookie"].startswith("__Host-limpet_session=")
    assert "Secure" in over_tls.headers["set-cookie"]
    assert in_clear.status == 403 and "set-cookie" not in in_clear.headers
    assert "plain HTTP" in in_clear.text


def test_sessions_end_by_signing_out_and_by_themselves(portal: Any) -> None:
    new_account(portal, "leaver", Role.VIEWER)
    secret, outlived = session_for(portal, "leaver"), session_for(portal, "leaver", lives=timedelta(0))
    mine = {"Cookie": f"limpet_session={secret}"}

    body = urlencode({"csrf": forgery_token(secret)}).encode()
    answer = portal.ask("POST", "/logout", headers=FORM | mine, body=body)

    assert answer.status == 303 and 'limpet_session=""' in answer.headers["set-cookie"]
    assert portal.ask("GET", "/", headers=mine).status == 303
    assert portal.ask("GET", "/", headers={"Cookie": f"limpet_session={outlived}"}).status == 303


def test_guessing_is_slowed_down_and_betrays_no_name(portal: Any) -> None:
    new_account(portal, "guessed", Role.VIEWER, password=PASSWORD)

    known = [sign_in(portal, "guessed", f"wrong {n}").status for n in range(6)]
    unknown = [sign_in(portal, "no-such-person", f"wrong {n}").status for n in range(6)]
    even_right = sign_in(portal, "guessed", PASSWORD)

    assert known == unknown == [401, 401, 401, 401, 401, 429]
    assert even_right.status == 429
    assert int(even_right.headers["retry-after"]) > 60


def test_a_link_lets_in_once(portal: Any) -> None:
    new_account(portal, "guest", Role.OPERATOR)
    secret = do(portal, lambda c, now: new_link(c, find_account(c, "guest").id, now=now))

    first, second = portal.ask("GET", f"/enter/{secret}"), portal.ask("GET", f"/enter/{secret}")

    assert first.status == 303 and first.headers["location"] == "/"
    assert "limpet_session=" in first.headers["set-cookie"]
    assert second.status == 403 and "set-cookie" not in second.headers


@pytest.mark.parametrize(
    "then",
    [
        *("//evil.test", "https://evil.test", "/\\evil.test", "\\\\evil.test", "/\t/evil.test"),
        *("/%0d%0aset-cookie:x=1\r\nx: y", "", "evil.test", "///evil.test", "/\\/evil.test"),
        "javascript:alert(1)",
    ],
)
def test_the_way_back_never_leads_elsewhere(portal: Any, then: str) -> None:
    new_account(portal, f"lost-{abs(hash(then))}", Role.VIEWER, password=PASSWORD)

    answer = sign_in(portal, f"lost-{abs(hash(then))}", PASSWORD, then=then)

    assert answer.status == 303
    assert answer.headers["location"] == "/"
    assert "x" not in answer.headers


def test_the_last_admin_cannot_be_made_less(portal: Any) -> None:
    answer = portal.send("/accounts/tester/role", role="viewer")

    assert answer.status == 400
    assert "the only admin" in answer.text


def test_every_deed_is_on_record(portal: Any) -> None:
    portal.send("/accounts", name="recorded", role="viewer")
    portal.send("/accounts/recorded/remove", reason="only a test")

    entries = portal.do(lambda house: house.ledger.audit_entries(subject="account recorded"))

    assert [(each.actor, each.action) for each in entries] == [
        ("tester", "remove_account"),
        ("tester", "add_account"),
    ]
    assert entries[0].reason == "only a test"


def test_a_role_taken_away_counts_at_once(portal: Any) -> None:
    new_account(portal, "demoted", Role.ADMIN)
    secret = session_for(portal, "demoted")
    mine = {"Cookie": f"limpet_session={secret}"}
    before = portal.ask("GET", "/accounts", headers=mine).status

    do(portal, lambda c, now: set_role(c, "demoted", role=Role.VIEWER, by="test", now=now))

    assert before == 200
    assert portal.ask("GET", "/accounts", headers=mine).status == 403


def test_a_body_without_end_is_refused(portal: Any) -> None:
    said = portal.ask("POST", "/login", headers=FORM | {"Content-Length": "99999999999"})
    sent = portal.ask("POST", "/login", headers=FORM, body=b"name=" + b"a" * (9 * 1024 * 1024))

    assert said.status == 413
    assert sent.status == 413


@pytest.mark.parametrize(
    "elsewhere",
    [
        *(
            "//evil.test",
            "///evil.test",
            "/\\evil.test",
            "\\\\evil.test",
            "https://evil.test",
            "https:evil.test",
        ),
        *(
            "/\t/evil.test",
            "/%09/evil.test",
            "//evil.test/%2f..",
            "javascript:alert(1)",
            "data:text/html,x",
            "evil.test",
        ),
        *(
            "/\r\nLocation: https://evil.test",
            "\u2044\u2044evil.test",
            "/@evil.test//",
            ".evil.test",
            "@evil.test",
            "",
        ),
    ],
)
def test_nobody_is_sent_elsewhere_after_signing_in(portal: Any, elsewhere: str) -> None:
    answer = portal.get(f"/login?{urlencode({'next': elsewhere})}")
    there = urljoin("http://limpet.test/login", answer.headers["location"])

    assert answer.status == 303
    assert urlsplit(there).netloc == "limpet.test" and there.startswith("http:"), there
