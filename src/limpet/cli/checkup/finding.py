"""What one examination found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """`fail` means Limpet cannot work like this, `warn` that something will be missing."""

    name: str
    status: Literal["ok", "warn", "fail"]
    detail: str
    fix: str = ""


def ok(name: str, detail: str) -> Finding:
    return Finding(name, "ok", detail)


def warn(name: str, detail: str, *, fix: str) -> Finding:
    return Finding(name, "warn", detail, fix)


def fail(name: str, detail: str, *, fix: str) -> Finding:
    return Finding(name, "fail", detail, fix)
