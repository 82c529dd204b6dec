"""The gates every request passes: address, robots, breaker, pace, retry."""
