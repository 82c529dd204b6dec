"""What `limpet dockets` can do, a module for each sub-command."""
