"""Limpet keeps scraping known sources for years, and proves that no record was lost.

The house is a corridor. Data walks through its rooms from left to right; imports only look left.

    source ▸ target ▸ fetch ▸ extract ▸ validate ▸ record ▸ observe │ engine │ apps │ web, cli

    source    WHO we may visit, and on what terms
    target    WHICH address comes next
    fetch     BYTES, politely: the one way to the network
    extract   a PAGE becomes a record, or says why it cannot be read
    validate  a record is JUDGED: accepted, dropped or quarantined
    record    what was judged is REMEMBERED: the ledger, snapshots, artefacts
    observe   what goes wrong is NOTICED: drift, freshness, health, gaps
    engine    WALKS targets down the corridor: runs, crew, timetable
    apps      WHAT FOR: judgments, dockets, matches, prices
    web, cli  where people come in

The ground floor (`errors`, `clock`) may be used from every room. `settings` is the only reader of the
environment; `assembly` builds everything in one place.
"""

__version__ = "0.1.0"
