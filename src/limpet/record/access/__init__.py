"""Who may come in: accounts, sessions, tokens and one-time links. Secrets are kept only as hashes."""
