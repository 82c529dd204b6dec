"""One file per step, in a straight line; a ledger knows the revision it stands at."""
