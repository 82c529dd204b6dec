"""The match monitor measured: a pretend scoreboard in one process, Limpet in another, and a referee beside them."""
