"""The court-judgment archive: every published judgment, each PDF exactly once, with the history of its metadata."""

from limpet.apps.judgments import tables
from limpet.apps.judgments.bookkeeper import JudgmentBookkeeper
from limpet.apps.judgments.feed import target_of
from limpet.apps.judgments.lacking import find_lacks
from limpet.apps.judgments.manner import manner
from limpet.apps.judgments.preparing import prepare
from limpet.apps.judgments.sites import SITES
from limpet.engine.app import App

APP = App(
    name="judgments",
    rules=(),  # a document is whole or it is none: that is judged while it comes
    bookkeeper=JudgmentBookkeeper(),
    sites=SITES,
    make_target=target_of,
    prepare=prepare,
    find_lacks=find_lacks,
    manner=manner,
    one_run_at_a_time=True,
    not_reread_because="it keeps the PDFs themselves, and a file that is whole has nothing more to be read from.",
)

__all__ = ["APP", "tables"]
