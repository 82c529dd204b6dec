"""One module per verb, each with an `app` made by `verb_app()`; `limpet.cli.table` lists them."""
