"""What each app hands out as files."""
