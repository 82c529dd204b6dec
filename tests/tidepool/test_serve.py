"""The pretend web as a server: hosts, keep-alive, caching, starting and stopping."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from tidepool import Tidepool
from tidepool.__main__ import main


async def test_an_unknown_host_shows_the_index_of_sites(listen) -> None:
    heard = await listen("/", host="tidepool.localhost")

    assert heard.status == 200
    assert b"shop.tidepool.localhost" in heard.body


async def test_the_same_shop_answers_under_another_registrable_domain(pool, visitor, product_path) -> None:
    async with visitor.get(pool.url("shop", product_path, zone="reef.localhost")) as response:
        text = await response.text()

    assert response.status == 200
    assert f'rel="canonical" href="http://shop.reef.localhost:{pool.port}{product_path}"' in text


async def test_www_is_an_alias_that_redirects_to_the_bare_host(pool, visitor, product_path) -> None:
    address = f"http://www.shop.tidepool.localhost:{pool.port}{product_path}?utm_source=x"

    async with visitor.get(address, allow_redirects=False) as response:
        assert response.status == 301

    assert response.headers["Location"] == pool.url("shop", product_path) + "?utm_source=x"


async def test_one_connection_serves_many_requests(pool, visitor, product_path) -> None:
    for _ in range(3):
        async with visitor.get(pool.url("shop", product_path)) as response:
            await response.read()

    assert {visit.connection for visit in pool.log} == {pool.log[0].connection}


async def test_head_gives_the_headers_of_get_without_its_body(pool, visitor, product_path) -> None:
    async with visitor.head(pool.url("shop", product_path)) as response:
        body = await response.read()

    assert response.status == 200
    assert int(response.headers["Content-Length"]) > 1000
    assert body == b""


async def test_gzip_only_when_asked_for(pool, listen, visitor, product_path) -> None:
    plain = await listen(product_path)
    async with visitor.get(pool.url("shop", product_path), headers={"Accept-Encoding": "gzip"}) as response:
        body = await response.read()

    assert b"Content-Encoding" not in plain.head
    assert response.headers["Content-Encoding"] == "gzip"
    assert body == plain.body


async def test_an_unchanged_page_is_304_by_tag_and_by_date(pool, visitor, product_path) -> None:
    address = pool.url("shop", product_path)
    async with visitor.get(address) as first:
        tag, date = first.headers["ETag"], first.headers["Last-Modified"]

    async with visitor.get(address, headers={"If-None-Match": tag}) as by_tag:
        assert by_tag.status == 304
    async with visitor.get(address, headers={"If-Modified-Since": date}) as by_date:
        assert by_date.status == 304
    async with visitor.get(address, headers={"If-None-Match": '"other"', "If-Modified-Since": date}) as other:
        assert other.status == 200


async def test_a_changed_page_has_a_new_tag(pool, visitor, product_path) -> None:
    address = pool.url("shop", product_path)
    async with visitor.get(address) as first:
        tag = first.headers["ETag"]

    pool.advance(20)

    async with visitor.get(address, headers={"If-None-Match": tag}) as second:
        assert second.status == 200
        assert second.headers["ETag"] != tag


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nContent-Length: -4\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"411"),
        (b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", b"413"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", b"431"),
        (b"DELETE / HTTP/1.1\r\nHost: shop.tidepool.localhost\r\nConnection: close\r\n\r\n", b"405"),
    ],
)
async def test_nonsense_from_a_visitor_is_answered_with_its_status(pool, request_bytes, status) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", pool.port)

    writer.write(request_bytes)
    answer = await asyncio.wait_for(reader.readline(), 5)
    writer.close()

    assert answer.split(b" ")[1] == status


async def test_stop_ends_a_visitor_who_waits_for_an_answer_that_never_comes(visitor) -> None:
    pool = Tidepool()
    await pool.start()
    pool.set_fault("shop", "never_answers")
    waiting = asyncio.create_task(visitor.get(pool.url("shop", "/")).__aenter__())
    while not pool.log:
        await asyncio.sleep(0.01)

    await pool.stop()

    with pytest.raises(aiohttp.ClientError):
        await waiting
    assert pool.log[0].finished_monotonic is not None


async def test_a_taken_port_is_an_os_error(pool) -> None:
    with pytest.raises(OSError, match="in use"):
        await Tidepool(port=pool.port).start()


def start_process(*arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    command = [sys.executable, "-m", "tidepool", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


async def test_as_a_process_it_prints_its_port_writes_its_log_and_stops_on_sigterm(visitor, tmp_path) -> None:
    log = tmp_path / "access.jsonl"
    with start_process("--port", "0", "--access-log", str(log)) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            async with visitor.get(
                f"{address}/robots.txt", headers={"Host": "shop.tidepool.localhost"}
            ) as response:
                await response.read()
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=10)

    # A visit is written when it is over, a moment after its answer has been read.
    line = json.loads(log.read_text().splitlines()[0])
    assert (line["site"], line["path"], line["status"]) == ("shop", "/robots.txt", 200)
    assert process.returncode == 0


def test_a_taken_port_is_one_sentence_and_exit_code_2(unused_tcp_port_held) -> None:
    with start_process("--port", str(unused_tcp_port_held)) as process:
        _, errors = process.communicate(timeout=20)

    assert process.returncode == 2
    assert len(errors.splitlines()) == 1


def test_help_teaches_and_list_faults_lists(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "control.tidepool.localhost" in capsys.readouterr().out

    assert main(["--list-faults"]) == 0
    assert "gzip_bomb" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["--port", "70000"], ["--products", "0"], ["--seed", "x"], ["--nonsense"]]
)
def test_nonsense_on_the_command_line_is_exit_code_2(arguments, capsys) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)

    assert left.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_a_log_file_that_cannot_be_written_is_exit_code_2(tmp_path, capsys) -> None:
    assert main(["--port", "0", "--access-log", str(tmp_path / "no" / "such" / "folder.jsonl")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.fixture
def unused_tcp_port_held():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        yield held.getsockname()[1]
