"""WHO we may visit, and on what terms."""

from limpet.source.source import Pace, Source, Terms

__all__ = ["Pace", "Source", "Terms"]
