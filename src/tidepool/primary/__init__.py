"""A shop that is a script: its pages are empty shells, everything is said by a JSON API.

    page        /<urlcomponent>, the same shell for every product
    API         /api/items?...&url=<urlcomponent> or &id=<internalid>; 406 for who asks for HTML
    list        /api/items?fieldset=search&commercecategoryurl=/ammo&limit=96&offset=0
    item        internalid, itemid (SKU), pagetitle (displayname is just the SKU), upccode, onlinecustomerprice
    stock       isinstock, quantityavailable, isbackorderable; custitem_in_stock says the opposite
    attributes  custitem_test_for_website: JSON inside a JSON string; image addresses hold spaces

An item that is not there is an empty list with status 200. A matrix item shows its children and the lowest of
their prices; a child is asked for by its own id.
"""

from __future__ import annotations

from tidepool.primary.primary import Primary

__all__ = ["Primary"]
