"""Who may ask for documents: a session cookie, a nonce bound to it, and how long that lasts."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from http.cookies import CookieError, SimpleCookie

from tidepool.court.habits import Habits
from tidepool.site import Request

COOKIE = "pdb-sess"


class Nonces:
    """Gives each session its nonce, as WordPress does: ten hex digits that change with time."""

    def __init__(self, seed: int, habits: Habits) -> None:
        self._seed = seed
        self._habits = habits
        self.reset()

    def reset(self) -> None:
        """Forget all sessions."""
        self.epoch = 0
        self._sessions = 0
        self._turns: Counter[str] = Counter()  # how often a session's nonce was spent
        self._uses: Counter[str] = Counter()

    def new_session(self) -> str:
        """Return the cookie of a visitor who has none."""
        self._sessions += 1
        return self._digest("session", self._sessions, size=13)

    def session_of(self, request: Request) -> str | None:
        """Return the session a request belongs to, or None."""
        try:
            found = SimpleCookie(request.headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return None
        return found.value if found else None

    def nonce(self, session: str, *, tick: int) -> str:
        """Return the nonce this session is to show now."""
        return self._of(session, self._span(tick))

    def decoy(self, session: str, *, tick: int) -> str:
        """Return a nonce of quite another plugin, good for nothing here."""
        return self._digest("pt-cv", session, self._span(tick), size=5)

    def accepts(self, session: str | None, nonce: str, *, tick: int) -> bool:
        """Whether that nonce is good: the present one or, as in WordPress, the one before it."""
        if session is None:
            return False
        span = self._span(tick)
        return nonce in (self._of(session, span), self._of(session, span - 1))

    @property
    def is_soft(self) -> bool:
        """Whether a bad nonce is refused with status 200."""
        return self._habits.refuses_softly

    def use(self, session: str) -> None:
        """Count one good answer; a nonce may be spent by it."""
        self._uses[session] += 1
        if self._habits.nonce_uses and self._uses[session] >= self._habits.nonce_uses:
            self._uses[session] = 0
            self._turns[session] += 1

    def expire(self) -> None:
        """Make every nonce given so far worthless."""
        self.epoch += 1

    def _span(self, tick: int) -> int:
        return tick // max(1, self._habits.nonce_ticks)

    def _of(self, session: str, span: int) -> str:
        return self._digest("nonce", self.epoch, self._turns[session], session, span, size=5)

    def _digest(self, *about: object, size: int) -> str:
        text = "/".join(map(str, (self._seed, "court", *about)))
        return blake2b(text.encode(), digest_size=size).hexdigest()
