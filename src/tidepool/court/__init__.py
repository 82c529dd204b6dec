"""A court that publishes its judgments: a WordPress page, a CSV index, and PDFs behind signed addresses of Box.

listing       /judgments/unreported-judgments/, newest first, a button with `data-dl` per judgment, a pager
index         /wp-content/uploads/box_files/judgments.csv, with every untidiness such files have in the wild
AJAX          POST /wp-admin/admin-ajax.php, `dl_bfile` and `get_bfile`; nonce bound to the cookie `pdb-sess`
registers     /public-registers/, a button with `data-vw` per document
box           the API that redirects, and old shared links                boxcdn   where the PDFs really are

case.py       one row of the index, and what is true of it     inventing.py   a history of judgments by seed
docket.py     what is published now, and how that moves        index_csv.py   the untidy CSV
register.py   what is filed in the public registers            paper.py       a small, valid, unique PDF
nonces.py     who may ask, and for how long                    signatures.py  addresses that expire
habits.py     what can be turned to make it stricter           faults.py      what only this site gets wrong
"""

from __future__ import annotations

from collections.abc import Mapping

from tidepool.court import faults  # enters the court's own misbehaviours into the table
from tidepool.court.box import BoxContent, BoxGate
from tidepool.court.court import Court
from tidepool.court.signatures import Signatures
from tidepool.site import Setup, Site

__all__ = ["BoxContent", "BoxGate", "Court", "court_sites", "faults"]


def court_sites(setup: Setup) -> Mapping[str, Site]:
    """Return the court and the two hosts its documents are kept at; all three know the same signatures."""
    signatures = Signatures(setup.seed)
    court = Court(setup, signatures)
    return {
        "court": court,
        "box": BoxGate(signatures),
        "boxcdn": BoxContent(signatures, court.document),
    }
