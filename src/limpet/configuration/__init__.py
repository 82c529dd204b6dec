"""What the config file says: sources and their targets, checked before anything starts. It runs no code."""

from limpet.configuration.loading import Config, ConfiguredSource, load_config, read_settings_table
from limpet.configuration.site_plan import FieldPlan, SitePlan

__all__ = ["Config", "ConfiguredSource", "FieldPlan", "SitePlan", "load_config", "read_settings_table"]
