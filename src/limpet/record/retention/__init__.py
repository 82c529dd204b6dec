"""What may go, by policy: old pages and notes about our work. What was found out never does."""
