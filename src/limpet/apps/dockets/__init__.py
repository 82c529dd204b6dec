"""Court dockets by case number: every file of a year, with proof of what exists and what does not."""
