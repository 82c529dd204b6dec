"""WALKS targets down the corridor: journeys, lanes, crew, runs, timetable."""
