"""A court's registry that answers one exact number at a time: a page full of traps, and the JSON behind it.

    page        /en/court-files-and-decisions/court-files, French: /fr/dossiers-de-la-cour-et-decisions/...
    JSON        /CourtFilesAndDecisions/<endpoint>?division=t&courtnumber=IMM-1-25 -> {"Count": n, "data": [...]}
                proceedingQueriesCourtNumberList   whether it exists; Count 0 means: no such file
                proceedingQueriesAddInfo           its header              proceedingQueriesRE  its entries
                PublicPartiesListInfo  RelatedListInfo  PartyInfoIntlProp  ProceedingsQueriesPartyInfo(Dates)
                downloadFileFromAlfresco?foremostNum=  the PDF of a published entry
    numbers     IMM-n-yy and T-n-yy (division t), A-n-yy (division a); years 20 to 26 and 60, with holes
    year 25     ends at `files`, 5,600 unless told; year 21 at 9,998; years 26 and 60 grow with every tick
    odd files   no filing date, no entries (none, or one header row without text), rows told twice, confidential
                entries; with the tick entries are added, reworded and withdrawn

Both ways serve one dataset: `Registry.files` says which numbers exist, `truth("IMM-1-25")` what a perfect reader
would find.
"""

from __future__ import annotations

from tidepool.registry.registry import Registry

__all__ = ["Registry"]
