"""What the origin saw: read from its access log while it is written, match by match."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import defaultdict
from pathlib import Path
from urllib.parse import parse_qs

LIVE_CALL = "/v10/sV3.php"
DATA_HOST, BROWSER_HOST = "crexapi.tidepool.localhost", "crexapi.kelp.localhost"


class OriginLog:
    """When each match was last told of, by host; looked at as often as one likes."""

    def __init__(self, file: Path, *, keys: dict[str, str]) -> None:
        self._file = file
        self._keys = keys  # the second site's number -> the first site's key
        self._read = 0
        self.told: dict[str, list[float]] = defaultdict(list)  # by key: by data, or by the second source
        self.by_browser: dict[str, list[float]] = defaultdict(list)
        self.by_data: dict[str, list[float]] = defaultdict(list)
        self.by_second: dict[str, list[float]] = defaultdict(list)

    def look(self) -> None:
        """Take in what was answered since the last look."""
        with self._file.open("rb") as lines:
            lines.seek(self._read)
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                self._read += len(line)
                self._take(json.loads(line))

    def _take(self, visit: dict[str, object]) -> None:
        if visit["status"] != 200 or visit["fault"] is not None:
            return
        at, host = float(str(visit["finished_monotonic"])), str(visit["host"])
        if visit["path"] == LIVE_CALL:
            key = parse_qs(str(visit["query"])).get("key", [""])[0]
            (self.by_browser if host == BROWSER_HOST else self.told)[key].append(at)
            if host == DATA_HOST:
                self.by_data[key].append(at)
        elif visit["site"] == "pavilion" and str(visit["path"]).startswith("/matches/"):
            number = str(visit["path"]).split("/")[2]
            if key := self._keys.get(number, ""):
                self.told[key].append(at)
                self.by_second[key].append(at)

    def last_told(self, key: str, *, before: float) -> float | None:
        """Return when the match was last told of in time, by data or by the second source."""
        return _last(self.told[key], before)

    def last_told_by_data(self, key: str, *, before: float) -> float | None:
        """Return the same, by data alone."""
        return _last(self.by_data[key], before)

    def last_told_by_any(self, key: str, *, before: float) -> float | None:
        """Return the same, pages in a browser included."""
        found = [_last(self.told[key], before), _last(self.by_browser[key], before)]
        return max((at for at in found if at is not None), default=None)

    def first_told_after(self, moment: float) -> float | None:
        """Return when anything was first answered after that moment."""
        later = [
            times[place]
            for times in (*self.told.values(), *self.by_browser.values())
            if (place := bisect_right(times, moment)) < len(times)
        ]
        return min(later, default=None)


def _last(times: list[float], before: float) -> float | None:
    place = bisect_right(times, before)
    return times[place - 1] if place else None
