"""Prove what the match monitor promises: a pretend scoreboard, Limpet beside it, and a referee.

    python -m bench.matches fresh    40 matches by data and a second source, 10 by browser too: fresh, flat, well graded
    python -m bench.matches delay    100 matches every second: how soon a ball is to be heard in the API
    python -m bench.matches chaos    everything breaks: recovered within 30 s each, written down, nothing lost

Each runs ten minutes; `--minutes 1` for a short one. Figures and bars are printed, and one bar that does not hold makes
it exit 1. The figures mean something on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from bench.matches.bars import Bars
from bench.matches.chaos import prove_chaos
from bench.matches.delay import prove_delay
from bench.matches.freshness import prove_freshness

LONG_MINUTES = 5.0
OUTAGE_SECONDS = 150.0


def wishes() -> argparse.Namespace:
    """Return what was asked for."""
    line = argparse.ArgumentParser(
        prog="python -m bench.matches",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    proofs = line.add_subparsers(required=True, metavar="fresh | delay | chaos")
    fresh = _proof(proofs, "fresh", prove_freshness, matches=40, browser=10, polling=2.5)
    fresh.add_argument(
        "--outage",
        type=float,
        help=f"seconds of silence at the end, to see every grade (default {OUTAGE_SECONDS:g}; 0 below 5 minutes)",
    )
    _proof(proofs, "delay", prove_delay, matches=100, browser=0, polling=1.0)
    _proof(proofs, "chaos", prove_chaos, matches=12, browser=2, polling=1.0)
    asked = line.parse_args()
    if getattr(asked, "outage", 0.0) is None:
        asked.outage = OUTAGE_SECONDS if asked.minutes >= LONG_MINUTES else 0.0
    return asked


def _proof(
    proofs: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    prove: Callable[[argparse.Namespace], Bars],
    *,
    matches: int,
    browser: int,
    polling: float,
) -> argparse.ArgumentParser:
    line = proofs.add_parser(name, description=prove.__doc__)
    line.set_defaults(prove=prove)
    line.add_argument("--minutes", type=float, default=10.0, help="how long (default 10)")
    line.add_argument("--matches", type=int, default=matches, help=f"how many matches (default {matches})")
    line.add_argument(
        "--browser", type=int, default=browser, help=f"of them also by browser (default {browser})"
    )
    line.add_argument(
        "--polling", type=float, default=polling, help=f"seconds between two questions (default {polling:g})"
    )
    line.add_argument(
        "--tick", type=float, default=0.93, help="seconds of a tick; a ball takes 3 to 7 (default 0.93)"
    )
    line.add_argument("--warm-up", type=float, default=20.0, help="seconds not counted (default 20)")
    line.add_argument("--keep", type=Path, help="leave config, ledger and logs in this folder")
    line.add_argument("--json", type=Path, help="write figures and bars to this file too")
    return line


def main() -> int:
    """Run the proof; 0 when every bar holds."""
    asked = wishes()
    bars = asked.prove(asked)
    bars.print()
    if asked.json:
        bars.write(asked.json)
    return 0 if bars.hold else 1


if __name__ == "__main__":
    sys.exit(main())
