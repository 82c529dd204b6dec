"""The live match monitor: second-fresh scores, no ball missed, and a health that can be asked for."""
