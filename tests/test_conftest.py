"""The real servers the other tests stand on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import redis

KEEPER = Path(__file__).parent / "servers" / "keeper.py"


def test_redis_is_real_and_empty(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        keys = client.dbsize()
        client.set("left behind", "by this test")

    assert keys == 0


def test_redis_is_empty_again_for_the_next_test(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        keys = client.dbsize()

    assert keys == 0


@pytest.mark.parametrize("time", ["first", "second"])
def test_postgres_gives_every_test_a_fresh_database(postgres_url: str, time: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE only_once (id int)")
        version = connection.execute("SHOW server_version_num").fetchone()

    assert version is not None and int(version[0]) >= 120000


def test_a_redis_of_its_own_can_be_stopped(own_redis: Any) -> None:
    own_redis.stop()

    with redis.Redis.from_url(own_redis.url) as client, pytest.raises(redis.exceptions.ConnectionError):
        client.ping()


@pytest.mark.skipif(sys.platform == "win32", reason="the servers are POSIX programs")
def test_the_server_ends_when_its_owner_is_killed_outright() -> None:
    owner_code = textwrap.dedent(f"""
        import subprocess, sys
        keeper = subprocess.Popen([sys.executable, {str(KEEPER)!r}, "redis"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True, start_new_session=True)
        print(keeper.stdout.readline(), flush=True)
        keeper.wait()
    """)
    owner = subprocess.Popen([sys.executable, "-c", owner_code], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    server = psutil.Process(json.loads(owner.stdout.readline())["pid"])

    os.kill(owner.pid, signal.SIGKILL)
    owner.wait()
    gone, alive = psutil.wait_procs([server], timeout=30)

    assert gone and not alive
