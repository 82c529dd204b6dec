"""Readings that more than one site of this app uses."""
