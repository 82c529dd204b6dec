"""Where people come in by keyboard. Verbs are imported only when called, so that help answers at once."""

from limpet.cli.door import main

__all__ = ["main"]
