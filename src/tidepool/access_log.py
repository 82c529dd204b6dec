"""What the origin saw: every request, when it came, when it ended, and how many were open at once."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, TextIO

from tidepool.site import Request

MOST_VISITS_KEPT = 200_000


@dataclass(slots=True)
class Visit:
    """One request, from when its head was read; monotonic times compare across processes of one host."""

    site: str
    host: str
    method: str
    path: str
    query: str
    user_agent: str
    arrived_at: str
    arrived_monotonic: float
    concurrent: int  # requests open at this host at that moment, this one included
    connection: int
    fault: str | None = None
    status: int | None = None  # None: no status line was ever sent
    bytes_sent: int = 0
    finished_monotonic: float | None = None


class AccessLog:
    """Keeps visits in memory and, if given a file, writes each as a line of JSON the moment it ends."""

    def __init__(self, file: Path | None = None) -> None:
        self.visits: list[Visit] = []
        self._open_at: Counter[str] = Counter()
        self._out: TextIO | None = file.open("a", encoding="utf-8") if file else None

    def arrive(self, site: str, request: Request, *, connection: int) -> Visit:
        """Note a request whose head has just been read."""
        host = request.host.rsplit(":", 1)[0]
        self._open_at[host] += 1
        visit = Visit(
            site=site,
            host=host,
            method=request.method,
            path=request.path,
            query=request.query,
            user_agent=request.headers.get("user-agent", ""),
            arrived_at=datetime.now(UTC).isoformat(),
            arrived_monotonic=time.monotonic(),
            concurrent=self._open_at[host],
            connection=connection,
        )
        self._remember(visit)
        return visit

    def leave(self, visit: Visit) -> None:
        """Note that the request is over, however it ended."""
        visit.finished_monotonic = time.monotonic()
        self._open_at[visit.host] -= 1
        self._write(visit)

    def read(self, *, site: str | None = None) -> list[dict[str, Any]]:
        """Return the visits as plain data, those still open included."""
        return [asdict(visit) for visit in self.visits if site in (None, visit.site)]

    def most_concurrent(self, host: str) -> int:
        """Return the highest number of requests that were open at that host at once."""
        return max((visit.concurrent for visit in self.visits if visit.host == host), default=0)

    def smallest_gap(self, host: str) -> float | None:
        """Return the fewest seconds between two arrivals at that host, or None if there were no two."""
        arrivals = [visit.arrived_monotonic for visit in self.visits if visit.host == host]
        return min((later - earlier for earlier, later in pairwise(arrivals)), default=None)

    def clear(self) -> None:
        """Forget the visits; requests still open stay counted."""
        self.visits.clear()

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._out:
            self._out.close()
            self._out = None

    def _remember(self, visit: Visit) -> None:
        self.visits.append(visit)
        if len(self.visits) > MOST_VISITS_KEPT:
            del self.visits[: MOST_VISITS_KEPT // 2]

    def _write(self, visit: Visit) -> None:
        if self._out:
            self._out.write(json.dumps(asdict(visit)) + "\n")
            self._out.flush()
