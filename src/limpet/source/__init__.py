"""WHO we may visit, and on what terms."""

from limpet.source.source import Pace, Source, Terms
from limpet.source.switch import Switch, SwitchKind, SwitchReason

__all__ = ["Pace", "Source", "Switch", "SwitchKind", "SwitchReason", "Terms"]
