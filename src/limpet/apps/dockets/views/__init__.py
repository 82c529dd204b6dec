"""What people look at: registers by year, the map of their numbers, cases, and one case with its past."""
