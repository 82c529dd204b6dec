"""The names, subjects and courts that judgments are invented from. Nobody here exists."""

from __future__ import annotations

from typing import NamedTuple


class Division(NamedTuple):
    """A part of the court, with the letters its causes and citations carry."""

    letters: str
    citation: str
    court: str
    category: str
    share: int  # of a hundred judgments


DIVISIONS = (
    Division("FSD", "CIGC (FSD)", "Grand Court", "Financial Services", 46),
    Division("G", "CIGC (Civ)", "Grand Court", "Civil", 26),
    Division("FAM", "CIGC (Fam)", "Grand Court", "Family", 8),
    Division("CICA", "CICA (Civ)", "Court of Appeal", "Civil Appeal", 12),
    Division("IND", "CIGC (Crim)", "Grand Court", "Criminal", 8),
)
CRIMINAL_CATEGORIES = ("Criminal", "Criminal Appeal", "Grand Court (Crim.)", "CRIMINAL")
PARTIES = (
    "Abernathy", "Blackreef", "Calloway", "Drumgold", "Eastgate", "Fairwater", "Greenbank", "Hollowell",
    "Inverlee", "Jessamine", "Kittiwake", "Longstone", "Marlpit", "Northholm", "Oystercatch", "Pellinore",
    "Quillfeather", "Rushmere", "Saltmarsh", "Thornbury", "Umberland", "Velloway", "Windlass", "Yarrowby",
)  # fmt: skip
KINDS = (
    "Holdings Limited", "Master Fund Ltd", "Capital Partners LP", "Trust Company", "Life Science Inc",
    "Shipping (Cayman) Limited", "Opportunities Fund SPC", "and Sons", "Credit Fund III", "Re Limited",
)  # fmt: skip
SUBJECTS = (
    "Winding up petition", "Strike out", "Costs", "Discovery", "Schemes of arrangement", "Trusts - variation",
    "Judicial review", "Leave to appeal", "Stay of proceedings", "Breach of contract", "Ancillary relief",
)  # fmt: skip
JUDGES = ("JAJ", "RPJ", "DDJ", "IKJ", "NSJ", "MRHJ")
REGISTERS = ("Financial Services", "Civil", "Admiralty", "Divorce", "Probate")
FILINGS = ("Petition", "Winding Up-Petition", "Originating Summons", "Writ of Summons", "Notice of Appeal")
LONG_TITLE = (
    "In the Matter of the Companies Act and In the Matter of an application by the joint official liquidators "
    "of {name} (In Official Liquidation) for directions concerning the adjudication of the proofs of debt lodged "
    "by certain redeemed and unredeemed investors of the segregated portfolios listed in the schedule to the "
    "summons, and for consequential relief"
)
FORMULAS = (
    "=Sigma({name})",
    "+1 Ventures v {name}",
    "-Nil Return Fund v {name}",
    "@Home Properties v {name}",
)
BAD_DATES = ("11-06-2025", "2019-13-45", "Michaelmas Term 2014", "", "31/02/2018", "n/a")
