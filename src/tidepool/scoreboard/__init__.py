"""The same cricket on two sites: ball by ball, a function of seed and tick, with everything that goes wrong.

    fixture.py   who plays, and the Kind: rain, stumps, super over, corrections, late fields, disagreement ...
    play.py      a match from first ball to result     standing.py  the scorer's book at one tick
    stadium.py   all matches, and the truth: every ball with the tick at which it happened
    crex*.py     crex.tidepool.localhost: lists, live pages by script; its data at crexapi.tidepool.localhost
    pavilion*.py pavilion.tidepool.localhost: rendered on the server, JSON in the page

One tick is a moment: balls come every 3 to 7 of them. With `--tick-seconds 1` time flows by the clock.
"""

from __future__ import annotations

from tidepool.scoreboard.crex import Crex
from tidepool.scoreboard.crex_api import CrexApi
from tidepool.scoreboard.fixture import Kind
from tidepool.scoreboard.pavilion import Pavilion

__all__ = ["Crex", "CrexApi", "Kind", "Pavilion"]
