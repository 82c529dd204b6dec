"""What people and programs may do, in the order of what they may."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What an account may do; each includes the one before."""

    VIEWER = "viewer"  # looks
    OPERATOR = "operator"  # acts: runs, targets, switches, alerts
    ADMIN = "admin"  # decides who else may, and stops everything

    def includes(self, other: Role) -> bool:
        """Whether this role may do what the other may."""
        order = list(Role)
        return order.index(self) >= order.index(other)


class Scope(StrEnum):
    """What a token may do at most, whatever its account may."""

    METRICS = "metrics"  # /metrics alone, for Prometheus
    READ = "read"
    OPERATE = "operate"
    ADMIN = "admin"

    @property
    def role(self) -> Role:
        """The most a caller with this token can be."""
        return {Scope.OPERATE: Role.OPERATOR, Scope.ADMIN: Role.ADMIN}.get(self, Role.VIEWER)


def lesser(one: Role, other: Role) -> Role:
    """Return the role of the two that may less."""
    return other if one.includes(other) else one
