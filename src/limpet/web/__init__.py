"""Where people come in by browser: pages rendered here, an API, live updates, health and metrics."""
