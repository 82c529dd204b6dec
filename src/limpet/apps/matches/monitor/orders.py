"""Orders from outside: pause a match, resume it, recycle - left in the ledger, carried out by whoever watches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from limpet.apps.matches.care_log import open_orders, settle_order
from limpet.apps.matches.lifecycle import MatchState
from limpet.apps.matches.monitor.accounting import Accountant
from limpet.apps.matches.monitor.control_room import ControlRoom
from limpet.apps.matches.monitor.recovering import Recoverer
from limpet.apps.matches.recovery import RecoveryAction

PAUSE, RESUME, RECYCLE = "pause", "resume", "recycle"


@dataclass(frozen=True, slots=True)
class OrderDesk:
    """Carries out what was ordered and notes what came of it."""

    room: ControlRoom
    accountant: Accountant
    recoverer: Recoverer

    async def look(self) -> None:
        """Carry out every open order."""
        for order in await self.room.ledger.read(open_orders):
            outcome = await self._carry_out(
                order["action"], order["match_id"] or "", by=order["requested_by"]
            )
            await self.room.ledger.audit(
                order["requested_by"],
                f"match_{order['action']}",
                subject=order["match_id"] or "the monitor",
                reason=order["reason"],
                details={"outcome": outcome},
            )
            done = partial(settle_order, order_id=order["id"], outcome=outcome, now=self.room.clock.now())
            await self.room.ledger.write(done)

    async def _carry_out(self, action: str, match_id: str, *, by: str) -> str:
        if action == RECYCLE:
            await self.recoverer.recover(f"asked for by {by}", RecoveryAction.MANUAL_TRIGGER)
            return "recycled"
        board = self.room.board(match_id)
        if board is None:
            return f"no match {match_id!r} is watched"
        # A source's own id means the match at that source; our id, and a bare key, mean the match.
        is_one_source = match_id in self.room.watches and match_id != board.match_id
        changed = 0
        for watch in board.watches.values():
            if is_one_source and watch.id != match_id:
                continue
            before = watch.record
            now = self.room.clock.now()
            watch.record = before.paused_by_hand() if action == PAUSE else before.resumed_by_hand(now)
            if watch.record != before:
                changed += 1
                watch.due_at = self.room.clock.monotonic()
                await self.accountant.state_changed(board, watch)
        self.room.offer_due()
        return f"{action}d" if changed else _why_not(action, board.state)


def _why_not(action: str, state: MatchState) -> str:
    return f"nothing to {action}: the match is {state.value}"
