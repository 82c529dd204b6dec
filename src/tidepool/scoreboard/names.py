"""Invented sides, players and grounds."""

from __future__ import annotations

SIDES = (
    ("Anchorage Gulls", "ANG"), ("Brackwater", "BRW"), ("Cape Limpet", "CPL"), ("Dunmere", "DUN"),
    ("Eelgrass Town", "EGT"), ("Fathom Bay", "FTB"), ("Gannet Rock", "GNR"), ("Harbour XI", "HXI"),
    ("Inchkeith", "INK"), ("Jetty United", "JTU"), ("Kelp Island", "KLP"), ("Lugworm Sands", "LWS"),
    ("Mussel Point", "MSP"), ("Northshore", "NSH"), ("Oyster Quay", "OYQ"), ("Periwinkle", "PWK"),
    ("Quayside", "QYS"), ("Rockpool", "RCK"), ("Saltmarsh", "SLM"), ("Tern Head", "TRN"),
    ("Upper Tideway", "UTW"), ("Voe Rangers", "VOE"), ("Whelk Street", "WHK"), ("Yawl Harbour", "YWL"),
)  # fmt: skip

FIRST_NAMES = (
    "Asha", "Bram", "Cato", "Dilip", "Eero", "Farah", "Goran", "Hira", "Imre", "Jonah", "Kofi", "Lalit",
    "Milo", "Nuru", "Otto", "Pavel", "Qasim", "Rohan", "Soren", "Tariq", "Umar", "Viggo", "Wanda", "Zubin",
)  # fmt: skip

LAST_NAMES = (
    "Adair", "Bhatt", "Carrow", "D'Souza", "Ekholm", "Farooq", "Grieve", "Hasan", "Iqbal", "Juma", "Kettle",
    "Lomax", "Mistry", "Nkosi", "O'Dea", "Prasad", "Quill", "Rowe", "Strand", "Tulloch", "Usman", "Vance",
)  # fmt: skip

GROUNDS = (
    ("The Slipway", "Anchorage"), ("Low Tide Oval", "Dunmere"), ("Barnacle Park", "Fathom Bay"),
    ("Lighthouse Ground", "Tern Head"), ("Saltpan Stadium", "Northshore"), ("The Breakwater", "Oyster Quay"),
)  # fmt: skip

SERIES = ("Littoral Cup", "Estuary Shield", "Neap League", "Foreshore Trophy")
