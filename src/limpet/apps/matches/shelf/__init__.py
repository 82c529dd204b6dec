"""The shelf everybody may look at: the latest of every match under well-known keys."""
