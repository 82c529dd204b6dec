"""Many workers on many hosts: lanes travel through procrastinate, on the ledger's own Postgres."""
