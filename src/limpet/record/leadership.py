"""Who leads: one process at a time may schedule. The lead is a lease by the database's own clock, with a fence."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, text

_NOW = {"sqlite": "strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now')", "postgresql": "clock_timestamp()"}
_UNTIL = {
    "sqlite": "strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now', :seconds || ' seconds')",
    "postgresql": "clock_timestamp() + make_interval(secs => CAST(:seconds AS double precision))",
}


@dataclass(frozen=True, slots=True)
class Lead:
    """The right to act in a role. A later holder has a higher fence."""

    role: str
    holder: str
    fence: int


def take_the_lead(connection: Connection, role: str, *, holder: str, seconds: float) -> Lead | None:
    """Take or keep the lead for so long, or return None while somebody else has it."""
    dialect = connection.dialect.name
    row = connection.execute(
        text(
            f"INSERT INTO leaderships (role, holder, fence, held_until) "
            f"VALUES (:role, :holder, 1, {_UNTIL[dialect]}) "
            f"ON CONFLICT (role) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until, "
            f"fence = leaderships.fence + CASE WHEN leaderships.holder = excluded.holder THEN 0 ELSE 1 END "
            f"WHERE leaderships.holder = excluded.holder OR leaderships.held_until < {_NOW[dialect]} "
            f"RETURNING fence"
        ),
        {"role": role, "holder": holder, "seconds": str(seconds)},
    ).one_or_none()
    return Lead(role, holder, row.fence) if row is not None else None


def give_up_the_lead(connection: Connection, lead: Lead) -> None:
    """Let the next one lead at once; the fence keeps a late one from taking the lead from its successor."""
    connection.execute(
        text("DELETE FROM leaderships WHERE role = :role AND holder = :holder AND fence = :fence"),
        {"role": lead.role, "holder": lead.holder, "fence": lead.fence},
    )
