"""The judgment archive over HTTP, at the addresses its readers know.

starting.py  POST /start, POST /resume           webhook.py    POST /webhook/changedetection
reading.py   GET /report, /api/runs/latest, …    exporting.py  tables, the ZIP, and single files
waiting.py   one further run after a change that came while one was under way
"""

from __future__ import annotations

from fastapi import APIRouter

from limpet.web.api.judgments import exporting, reading, starting, webhook

router = APIRouter()
for _part in (reading, exporting, starting, webhook):
    router.include_router(_part.router)
