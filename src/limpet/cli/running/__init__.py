"""`limpet run APP`: one module per app, because each app has its own questions to ask."""
