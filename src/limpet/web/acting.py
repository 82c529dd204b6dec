"""Acting from the portal: a form of ours, sent by the page it stands on, in somebody's name and with a reason."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, TypeVar

from fastapi import Depends
from sqlalchemy import Connection
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from limpet.assembly import House
from limpet.errors import UsageError
from limpet.web.access.caller import Caller, TheCaller
from limpet.web.asking import plain

T = TypeVar("T")
# What a page may say after an action; a closed list, so that no link can put words into our mouth.
DONE = {
    "acknowledged": "It is yours now.",
    "resolved": "It is resolved.",
    "enabled": "It is switched on again.",
    "disabled": "It is switched off.",
    "canary": "It was tried on its recorded pages; what came of it stands below.",
    "accepted": "The record was accepted and written as a price.",
    "corrected": "The corrected record was written as a price.",
    "rejected": "The record was rejected; its evidence stays.",
    "correction": "The correction is in force.",
    "revoked": "It was taken off again.",
    "trusted": "What consumers may see of this source was changed.",
    "changed": "The targets were changed.",
    "deleted": "The targets were deleted.",
    "index_released": "The version is applied: the cases are what it says.",
    "cancelled": "What waited in this run is called off.",
    "stopped": "Stopped. Nothing more is asked of any site concerned.",
    "released": "Released.",
    "ordered": "The order is given; the monitor carries it out within a second or two.",
    "password": "The password is changed. Every other session of yours has ended.",
}


@dataclass(frozen=True, slots=True)
class Action:
    """A form that was sent, and who sent it."""

    house: House
    caller: Caller
    fields: Mapping[str, str]
    ids: tuple[int, ...] = ()
    files: Mapping[str, UploadFile] = field(default_factory=dict)

    @property
    def by(self) -> str:
        """In whose name it happens."""
        return self.caller.name

    @property
    def now(self) -> datetime:
        return self.house.clock.now()

    def field(self, name: str) -> str:
        """Return what was written there, without the space around it."""
        return self.fields.get(name, "").strip()

    @property
    def reason(self) -> str:
        """Return why; every action has to say it."""
        said = self.field("reason")
        if not said:
            raise UsageError("Say why: every change is kept with its reason.", fix="Go back and fill it in.")
        return said

    def write(self, act: Callable[[Connection], T]) -> Awaitable[T]:
        """Do it in one transaction."""
        return self.house.ledger.write(act)


async def _action(request: Request, caller: TheCaller) -> Action:
    form = await request.form()
    fields = {name: plain(value) or "" for name, value in form.items() if isinstance(value, str)}
    ids = [str(value) for value in form.getlist("id") if str(value).isdecimal() and len(str(value)) < 19]
    # A field of a file nobody chose comes along with an empty name.
    files = {name: file for name, file in form.items() if isinstance(file, UploadFile) and file.filename}
    return Action(request.app.state.house, caller, fields, tuple(int(each) for each in ids), files)


def back_to(path: str, done: str) -> Response:
    """Return to a page of ours, which then says what was done."""
    assert done in DONE
    return RedirectResponse(f"{path}{'&' if '?' in path else '?'}done={done}", 303)


Acting = Annotated[Action, Depends(_action)]
