"""How this process keeps its memory: tuned once, for a program that lives for years and allocates pages all day."""

from __future__ import annotations

import ctypes
import gc
import sys
from functools import cache

_MEBIBYTE = 1024 * 1024
# From malloc.h: what lies free on top of the heap before it is given back, and what is mapped on its own.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_YOUNG_OBJECTS = 20_000


@cache
def settle_in() -> None:
    """Call once everything is built: what is alive now stays, and need not be looked at again and again.

    Giving memory back to the system after every page, only to ask for it again, costs a fifth of a page's time;
    searching a quarter of a million permanent objects for garbage costs more with every library we use.
    """
    if sys.platform == "linux":
        _keep_freed_memory()
    # What building left behind is a handful of objects: not worth looking through all the others for it.
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 20)


def _keep_freed_memory() -> None:
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # absent where the C library is not glibc
    if mallopt is not None:
        mallopt(_M_TRIM_THRESHOLD, 32 * _MEBIBYTE)
        mallopt(_M_MMAP_THRESHOLD, 4 * _MEBIBYTE)
