"""What each app probably lacks, as people read it."""
