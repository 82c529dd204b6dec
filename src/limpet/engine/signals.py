"""Ctrl-C and SIGTERM: the first asks everybody to finish in good order, the second ends at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def graceful_stop(stop: asyncio.Event, *, drain_seconds: float) -> Iterator[list[signal.Signals]]:
    """Within this block the first signal sets `stop`; the second, or a drain that takes too long, cancels.

    It yields the signals that came, in their order.
    Whoever was cancelled so leaves it by KeyboardInterrupt, with everything handed back on the way out.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    deadlines: list[asyncio.TimerHandle] = []
    came: list[signal.Signals] = []

    def on_signal(number: signal.Signals) -> None:
        came.append(number)
        if stop.is_set():
            task.cancel()
            return
        stop.set()
        deadlines.append(loop.call_later(drain_seconds, task.cancel))

    for number in _SIGNALS:
        loop.add_signal_handler(number, on_signal, number)
    try:
        yield came
    except asyncio.CancelledError:
        if not stop.is_set():
            raise
        task.uncancel()
        raise KeyboardInterrupt from None
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
        for deadline in deadlines:  # what follows the block, such as a last account, is not what drains
            deadline.cancel()
