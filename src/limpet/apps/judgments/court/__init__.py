"""The court's own ways: its pages, its AJAX desk, its signed addresses and its PDFs. Nothing here knows the ledger."""
