"""WHAT FOR: each app has its record, its rules, its pen and its sites, and knows no sibling."""
