"""Rounds of pages, each written whole before the reader saw any of it: their first try tells how it will do abroad."""

from bench.auto_shapes.round_five import ROUND_FIVE
from bench.auto_shapes.round_four import ROUND_FOUR
from bench.auto_shapes.round_one import ROUND_ONE
from bench.auto_shapes.round_seven import ROUND_SEVEN
from bench.auto_shapes.round_six import ROUND_SIX
from bench.auto_shapes.round_three import ROUND_THREE
from bench.auto_shapes.round_two import ROUND_TWO

ROUNDS = (
    ROUND_ONE.shapes,
    ROUND_TWO.shapes,
    ROUND_THREE.shapes,
    ROUND_FOUR.shapes,
    ROUND_FIVE.shapes,
    ROUND_SIX.shapes,
    ROUND_SEVEN.shapes,
)
