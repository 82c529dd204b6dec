"""WHO we may visit, and on what terms."""

from limpet.source.source import Pace, Retention, Source, Terms
from limpet.source.switch import Switch, SwitchKind, SwitchReason

__all__ = ["Pace", "Retention", "Source", "Switch", "SwitchKind", "SwitchReason", "Terms"]
