"""Whatever Chromium wants passes the guard, request by request; around it there is no way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from limpet.errors import AddressForbidden, RobotsDisallowed
from limpet.fetch.browser import BrowserPool
from limpet.fetch.trail import Trail
from limpet.source import Source

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

TELL_WHEN_DONE = "document.title = 'done'"
DONE = "document.title === 'done'"


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_guard_sees_every_redirect_hop_and_follows_none_itself(
    pool: BrowserPool, pretend_web, source: Source, trail: Trail, scheme: str
) -> None:
    pretend_web.redirect("/first", "/second")
    pretend_web.redirect("/second", f"{scheme}://other.test/third")
    pretend_web.html("/third", "arrived")

    async with pool.page(source, trail) as lease:
        await lease.page.goto(f"{scheme}://shop.test/first")

    assert pretend_web.urls == [
        f"{scheme}://shop.test/first",
        f"{scheme}://shop.test/second",
        f"{scheme}://other.test/third",
    ]


async def test_guard_sees_scripts_frames_fetches_posts_and_events(
    pool: BrowserPool, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html("/", "<script src=/app.js></script><iframe src=https://frames.test/frame></iframe>")
    pretend_web.html("/frame", "<script>fetch('/from-frame')</script>")
    pretend_web.script(
        "/app.js",
        f"""const xhr = new XMLHttpRequest(); xhr.open('PUT', '/xhr'); xhr.send('put this');
        new EventSource('/events');
        navigator.sendBeacon('/beacon', 'x');
        import('/module.js').then(() => fetch('/data', {{method: 'POST', body: 'sent'}}))
        .then(() => {TELL_WHEN_DONE})""",
    )
    pretend_web.script("/module.js", "export const x = 1")

    async with pool.page(source, trail) as lease:
        await lease.page.goto("https://shop.test/")
        await lease.page.wait_for_function(DONE)

    expected = ["", "app.js", "xhr", "events", "beacon", "module.js", "data"]
    assert {f"https://shop.test/{path}" for path in expected} <= set(pretend_web.urls)
    assert {"https://frames.test/frame", "https://frames.test/from-frame"} <= set(pretend_web.urls)
    assert pretend_web.asked_bodies["https://shop.test/data"] == b"sent"
    assert pretend_web.asked_bodies["https://shop.test/xhr"] == b"put this"


async def test_guard_sees_what_workers_ask_for(
    pool: BrowserPool, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html(
        "/",
        f"""<script>
        new SharedWorker('/shared.js');
        const worker = new Worker('/worker.js');
        worker.onmessage = async () => {{
          await navigator.serviceWorker.register('/service.js');
          await navigator.serviceWorker.ready;
          {TELL_WHEN_DONE};
        }};</script>""",
    )
    pretend_web.script(
        "/worker.js", "importScripts('/part.js'); fetch('/by-worker').then(() => postMessage(1))"
    )
    pretend_web.script("/part.js", "")
    pretend_web.script("/shared.js", "fetch('/by-shared')")
    pretend_web.script("/service.js", "self.oninstall = e => e.waitUntil(fetch('/by-service'))")

    async with pool.page(source, trail) as lease:
        await lease.page.goto("https://shop.test/")
        await lease.page.wait_for_function(DONE)

    expected = {"worker.js", "part.js", "shared.js", "service.js", "by-worker", "by-shared", "by-service"}
    assert {f"https://shop.test/{path}" for path in expected} <= set(pretend_web.urls)


async def test_nothing_reaches_the_machine_around_the_guard(
    pool: BrowserPool, pretend_web, canary, source: Source, trail: Trail
) -> None:
    tcp, udp = f"127.0.0.1:{canary.tcp_port}", f"127.0.0.1:{canary.udp_port}"
    pretend_web.html(
        "/",
        f"""<link rel=dns-prefetch href=//{tcp}><link rel=preconnect href=http://{tcp}>
        <link rel=preconnect href=https://localhost:{canary.tcp_port}><link rel=prefetch href=http://{tcp}/prefetch>
        <img src=http://{tcp}/image><iframe src=http://{tcp}/frame></iframe>
        <script>
        const quietly = promise => promise.catch(() => 0);
        const closed = socket => new Promise(done => {{ socket.onclose = socket.onerror = done; }});
        const gathered = peer => new Promise(done => {{
          peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done();
          setTimeout(done, 1500);
        }});
        async function everyWay() {{
          const hosts = ['{tcp}', 'localhost:{canary.tcp_port}', '[::1]:{canary.tcp_port}',
                         '2130706433:{canary.tcp_port}', '0.0.0.0:{canary.tcp_port}'];
          for (const host of hosts) {{
            await quietly(fetch('http://' + host + '/fetch', {{mode: 'no-cors'}}));
            await quietly(fetch('https://' + host + '/fetch', {{mode: 'no-cors'}}));
            await closed(new WebSocket('ws://' + host + '/socket'));
          }}
          const peer = new RTCPeerConnection({{iceServers: [
            {{urls: 'stun:{udp}'}},
            {{urls: 'turn:{udp}?transport=udp', username: 'u', credential: 'c'}},
            {{urls: 'turn:{tcp}?transport=tcp', username: 'u', credential: 'c'}}]}});
          peer.createDataChannel('leak');
          await peer.setLocalDescription(await peer.createOffer());
          await gathered(peer);
          if (window.WebTransport) await quietly(new WebTransport('https://{udp}/').ready);
          {TELL_WHEN_DONE};
        }}
        everyWay();</script>""",
    )

    async with pool.page(source, trail) as lease:
        await lease.page.goto("https://shop.test/")
        await lease.page.wait_for_function(DONE)

    assert (canary.connections, canary.datagrams) == (0, 0)
    assert f"http://{tcp}/fetch" in pretend_web.urls
    assert any(decision.detail.startswith("gate.address") for decision in trail.decisions)


@pytest.mark.parametrize("scheme", ["ws", "wss"])
async def test_websockets_are_refused_and_noted(
    pool: BrowserPool, pretend_web, source: Source, trail: Trail, scheme: str
) -> None:
    pretend_web.html(
        "/",
        f"<script>new WebSocket('{scheme}://shop.test/live').onclose = () => {{ {TELL_WHEN_DONE} }}</script>",
    )

    async with pool.page(source, trail) as lease:
        await lease.page.goto("http://shop.test/")
        await lease.page.wait_for_function(DONE)

    refused = [decision for decision in trail.decisions if decision.url.endswith("/live")]
    assert [(decision.gate, decision.allowed) for decision in refused] == [("browser", False)]
    assert not any(url.endswith("/live") for url in pretend_web.urls)


async def test_a_refused_request_is_told_apart_from_the_sites_own_answer(
    pool: BrowserPool, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html("/", "home")
    pretend_web.pages["/forbidden"] = (403, {"Content-Type": "text/plain"}, b"by the site")
    pretend_web.faults["https://shop.test/private"] = RobotsDisallowed("robots.txt says no")

    async with pool.page(source, trail) as lease:
        await lease.page.goto("https://shop.test/")
        ours, theirs = await lease.page.evaluate(
            """() => Promise.all(['/private', '/forbidden'].map(async path => {
                const answer = await fetch(path);
                return [answer.status, answer.headers.get('x-limpet-refused')];
            }))"""
        )

    assert ours == [403, "gate.robots"]
    assert theirs == [403, None]
    assert [decision.url for decision in trail.decisions] == ["https://shop.test/private"]


async def test_hop_by_hop_headers_stay_and_bodies_arrive_decoded(
    pool: BrowserPool, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html("/", "home")
    pretend_web.pages["/data"] = (
        200,
        {
            "Content-Type": "application/json",
            "Keep-Alive": "timeout=5",
            "Alt-Svc": 'h3=":443"',
            "X-Own": "kept",
        },
        b'{"price": 1}',
    )

    async with pool.page(source, trail) as lease:
        await lease.page.goto("https://shop.test/")
        body, headers = await lease.page.evaluate(
            """async () => {
                const answer = await fetch('/data');
                return [await answer.json(), Object.fromEntries(answer.headers)];
            }"""
        )

    assert body == {"price": 1}
    assert headers["x-own"] == "kept"
    assert not {"keep-alive", "alt-svc", "content-encoding", "transfer-encoding"} & set(headers)
    sent = pretend_web.asked_headers["https://shop.test/data"]
    assert not {"host", "connection", "proxy-connection", "accept-encoding", "content-length"} & set(sent)


async def test_scripts_are_asked_for_once_but_pages_and_data_every_time(
    pool: BrowserPool, pretend_web, source: Source
) -> None:
    source = replace(source, id="cached")
    keep = {"Cache-Control": "max-age=3600"}
    pretend_web.script("/app.js", f"fetch('/data').then(() => {TELL_WHEN_DONE})", **keep)
    pretend_web.pages["/"] = (200, {"Content-Type": "text/html", **keep}, b"<script src=/app.js></script>")
    pretend_web.pages["/data"] = (200, {"Content-Type": "application/json", **keep}, b"{}")

    for _ in range(2):
        async with pool.page(source, Trail()) as lease:
            await lease.page.goto("https://shop.test/")
            await lease.page.wait_for_function(DONE)

    counts = {path: pretend_web.urls.count(f"https://shop.test/{path}") for path in ("", "app.js", "data")}
    assert counts == {"": 2, "app.js": 1, "data": 2}


async def test_requests_are_called_back_and_refused_once_the_visit_is_over(
    pool: BrowserPool, pretend_web, source: Source, trail: Trail
) -> None:
    pretend_web.html("/", "<script>fetch('/slow'); setInterval(() => fetch('/poll'), 10)</script>")
    pretend_web.hold("/slow")

    async with pool.page(source, trail) as lease:
        await lease.page.goto("https://shop.test/")
        await lease.page.wait_for_event("request", lambda request: request.url.endswith("/poll"))
        visit = lease.visit
    asked_at_the_end = len(pretend_web.asked)
    async with pool.page(source, Trail()) as lease:
        await lease.page.goto("https://shop.test/nothing")

    assert pretend_web.urls[asked_at_the_end:] == ["https://shop.test/nothing"]
    assert not visit._running
    assert "shop.test/slow" not in pretend_web.served


async def test_nothing_of_a_visit_is_left_for_the_next(
    pool: BrowserPool, pretend_web, source: Source
) -> None:
    pretend_web.html("/", "home")
    remember = "() => { document.cookie = 'visitor=1; max-age=1000'; localStorage.visitor = '1' }"

    async with pool.page(source, Trail()) as lease:
        await lease.page.goto("https://shop.test/")
        await lease.page.evaluate(remember)
    async with pool.page(source, Trail()) as lease:
        await lease.page.goto("https://shop.test/")
        left = await lease.page.evaluate("() => [document.cookie, localStorage.length]")

    assert left == ["", 0]
    assert "cookie" not in pretend_web.asked_headers["https://shop.test/"]


async def test_a_forbidden_address_is_refused_for_frames_and_redirects_alike(
    pool: BrowserPool, pretend_web, canary, source: Source, trail: Trail
) -> None:
    pretend_web.redirect("/away", f"http://127.0.0.1:{canary.tcp_port}/metadata")
    pretend_web.html("/", "<iframe src=/away></iframe>")

    async with pool.page(source, trail) as lease:
        await lease.page.goto("http://shop.test/")

    assert canary.connections == 0
    assert isinstance(lease.visit.failures[f"http://127.0.0.1:{canary.tcp_port}/metadata"], AddressForbidden)
