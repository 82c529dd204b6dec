"""The judgment archive over HTTP, at the addresses its readers know.

starting.py  POST /start, POST /resume           webhook.py    POST /webhook/changedetection
reading.py   GET /report, /api/runs/latest, …    exporting.py  tables, the ZIP, and single files
waiting.py   one further run after a change that came while one was under way
archive.py   /api/v1/judgments: what the portal's pages show and do
"""

from __future__ import annotations

from fastapi import APIRouter

from limpet.web.api.judgments import archive, exporting, reading, starting, webhook

router = APIRouter()
for _part in (archive, reading, exporting, starting, webhook):
    router.include_router(_part.router)
