"""The JSON API, version 1: what the pages show, for programs."""
