"""The pretend web: sites that behave like real ones, and misbehave on request, for demo, tests and benches.

    serve.py        Tidepool: start it, switch faults on, read its log     __main__.py   the same as a process
    world.py        which sites there are, who answers for which host, what time (tick) it is there
    site.py         what every site is given (Request) and hands back (Response)
    conversation.py one connection, from its first byte to its last          wire.py       HTTP/1.1 by hand
    control.py      the control API                                          access_log.py what the origin saw
    faults/         every way a server can misbehave, by name
    trade/          what all shops share: goods, prices and stock that move with the tick, tags, sitemaps, truth
    shop/           a WooCommerce-like shop, rendered on the server
    midway/         a shop filled in by script: JSON-LD alone, pack sizes by ?pid=
    brown/          a shop with heavy pages: an offer per ?sku=, hidden prices, listings where products were
    scoreboard/     cricket ball by ball on two sites, crex (with its data host crexapi) and pavilion
    primary/        a shop that is a script: empty pages, a JSON API
    registry/       a court that answers one exact number at a time: a page full of traps, and the JSON behind it
    court/          a court: a CSV index, an AJAX desk with nonces, PDFs behind signed addresses at box and boxcdn

It imports nothing of limpet: it stands for the world outside.
"""

from __future__ import annotations

from tidepool.serve import Tidepool

__all__ = ["Tidepool"]
