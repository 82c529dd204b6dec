"""What court files are made of; every name is invented."""

from __future__ import annotations

from typing import NamedTuple


class Both(NamedTuple):
    """One thing under its code, in both languages."""

    code: str
    english: str
    french: str


def _leave(code: str, english: str, french: str) -> Both:
    return Both(
        code,
        f"Imm - Appl. for leave & jud. review - {english}",
        f"Imm - Dem. d'autor. et de contr. jud. - {french}",
    )


NATURES = (
    _leave("121", "Arising outside Canada", "Hors du Canada"),
    _leave("122", "Other Arising in Canada", "Autres au Canada"),
    _leave("123", "IRB - Refugee Appeal Division", "CISR - Section d'appel des réfugiés"),
    _leave("124", "IRB - Refugee Protection Division", "CISR - Section de la protection des réfugiés"),
    _leave("125", "Pre-removal risk assessment", "Examen des risques avant renvoi"),
)
OTHER_NATURES = (
    Both("301", "Patent Infringement", "Contrefaçon de brevet"),
    Both(
        "302", "Appl. for judicial review - Federal Boards", "Dem. de contrôle judiciaire - Offices fédéraux"
    ),
    Both("303", "Maritime law - Cargo", "Droit maritime - Cargaison"),
)
OFFICES = (
    Both("TOR", "Toronto", "Toronto"),
    Both("OTT", "Ottawa", "Ottawa"),
    Both("VAN", "Vancouver", "Vancouver"),
    Both("MTL", "Montréal", "Montréal"),
    Both("QUE", "Québec", "Québec"),
    Both("CAL", "Calgary", "Calgary"),
)
LANGUAGES = (Both("E", "English", "Anglais"), Both("F", "French", "Français"))
IMMIGRATION = Both("I", "Immigration Matters", "Affaires d'immigration")
ORDINARY = Both("T", "Applications", "Demandes")
ACTIONS = (
    Both(
        "AI", "Application for Leave and Judicial Review", "Demande d'autorisation et de contrôle judiciaire"
    ),
    Both("NC", "Non-Action", "Autre qu'une action"),
)
TRACK = Both("", "Actions - Simplified", "Actions - Simplifiées")
FAMILY_NAMES = (
    "Abelsen", "Brisebois-Kerr", "Castañeda", "Dorsainvil", "Ekwueme", "Farrokhzad", "Gagnon", "Hövels", "Ismaïli",
    "Jovanovska", "Kılıç", "L'Heureux", "Mbeki-Rowe", "Nakagawa", "O'Sheehan", "Pietrowska", "Quispe", "Rădulescu",
    "Szabó", "Tremblay", "Umarov", "Vásquez", "Wanjiru", "Xiong", "Yılmaz", "Zielinski",
)  # fmt: skip
GIVEN_NAMES = (
    "Amara", "Boris", "Chidi", "Dalia", "Émile", "Fatou", "Goran", "Hana", "Imre", "Jun", "Katya", "Léa", "Milan",
    "Noor", "Odile", "Pavel", "Rania", "Selim", "Thandi", "Ulla",
)  # fmt: skip
MINISTERS = (
    "THE MINISTER OF CITIZENSHIP AND IMMIGRATION",
    "THE MINISTER OF PUBLIC SAFETY AND EMERGENCY PREPAREDNESS",
)
FIRMS = ("Kelp & Barnacle LLP", "Limpet Rock Barristers", "Étude Marée Basse", "Wrack Line Law Office")
SHIPS = ("M.V. TURNSTONE", "M.V. OYSTERCATCHER")
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
STEPS = (
    "Application for leave and judicial review against a decision of {board}, decision dated {dmy} filed on {dmy}",
    " Notice of appearance on behalf of the respondent filed on {dmy} with proof of service on the applicant",
    "Acknowledgment of Receipt received from all parties with respect to Doc. {doc} placed on file on {dmy}",
    "Applicant's record number of copies received: 1 on behalf of applicant with proof of service filed on {dmy}",
    " Memorandum of argument on behalf of respondent with proof of service upon the applicant filed on {dmy}",
    'Letter from Applicant dated {dmy} "request for an extension" <see Doc. {doc}> & reply received on {dmy}',
    "Order dated {dmy} rendered by The Honourable Madam Justice Strand; matter considered without personal appearance",
    "Certified copy of decision and reasons sent by {board} on {dmy} pursuant to Rule 9(2) placed on file",
    "Communication to the Court from the Registry dated {dmy} re: file to be forwarded; \u00ab avis \u00bb envoy\u00e9",
)
BOARDS = ("IRB - RAD, Toronto", "IRCC, Vancouver", "Visa Section, Ankara", "CBSA, Montréal")
CONFIDENTIAL_STEP = (
    "CONFIDENTIAL document: psychological report on behalf of applicant placed on file on {dmy}"
)
