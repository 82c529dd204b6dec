"""What was judged is REMEMBERED: the ledger, snapshots, artefacts."""
