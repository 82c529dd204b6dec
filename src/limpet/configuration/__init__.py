"""What the config file says: sources and their targets, checked before anything starts. It runs no code."""

from limpet.configuration.loading import Config, ConfiguredSource, load_config, read_settings_table

__all__ = ["Config", "ConfiguredSource", "load_config", "read_settings_table"]
