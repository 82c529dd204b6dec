"""What can be turned at the court to make it stricter, stranger or more forgetful."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Habits:
    """How the court behaves when it is well. Each may be set from a test or by the control API."""

    nonce_ticks: int = 12  # a nonce is good for one to two spans of so many ticks, as WordPress has it
    nonce_uses: int = 0  # after so many good answers a nonce is spent; 0: never
    refuses_softly: bool = False  # a bad nonce is answered `-1` with status 200 instead of 403
    signature_ticks: int = 1  # an address is good until so many ticks have passed
    signature_uses: int = 0  # an address is good for so many downloads; 0: as many as you like
    signature_seconds: float = 0.0  # an address is good for so many seconds; 0: whatever the wall clock says
    rows_on_a_page: int = 25
    fid_on_button: bool = False  # the folder's number stands on each button, and in no script
    cookie_banner: bool = True
    mutates_by_tick: bool = True  # each tick something is published, corrected, withdrawn or put back
