"""What the page says, in both languages."""

from __future__ import annotations

from dataclasses import asdict, dataclass

ENGLISH_PATH = "/en/court-files-and-decisions/court-files"
FRENCH_PATH = "/fr/dossiers-de-la-cour-et-decisions/dossiers-de-la-cour"


@dataclass(frozen=True, slots=True)
class Texts:
    """Every word of the page and of its script; the defaults are the English ones."""

    lang: str = "en"
    other: str = "fr"
    elsewhere: str = FRENCH_PATH
    toggle: str = "Français"
    title: str = "Federal Court - Court Files"
    heading: str = "Court Files"
    site_search: str = "Search this site"
    notice_title: str = "Planned interruption of service"
    notice: str = (
        "E-filing will not be available from Thursday to Monday. Court files can be consulted as usual."
    )
    tabs: tuple[str, ...] = (
        "Search by party name",
        "Search by court number",
        "Intellectual Property",
        "Related Cases",
    )
    courts: tuple[str, ...] = ("Federal Court", "Federal Court of Appeal", "Both")
    clear: str = "Clear"
    submit: str = "Submit"
    close: str = "Close"
    print: str = "Print"
    columns: tuple[str, ...] = ("Court Number", "Style of Cause", "Nature of Proceeding", "Parties", "More")
    buttons: tuple[str, ...] = ("Show 10", "Copy", "Excel", "PDF", "Print")
    info: str = "Showing # to # of # entries"
    no_data: str = "No data available in table"
    recorded: str = "Recorded Entry Information"
    parties: str = "Parties Information"
    type: str = "Type"
    action: str = "Type of Action"
    nature: str = "Nature of Proceeding"
    filed: str = "Filing Date"
    office: str = "Office"
    language: str = "Language"
    legend: str = "How to read the recorded entries:"
    city: str = "City"
    document: str = "Name of document"
    caption: str = "Information about the court file"
    entry_columns: tuple[str, ...] = ("ID", "Date Filed", "Office", "Recorded Entry Summary", "Download")
    party_columns: tuple[str, ...] = ("Party Name", "Solicitor's Firm", "Contact")

    def for_script(self) -> dict[str, object]:
        """Return the words as plain data."""
        return asdict(self)


ENGLISH = Texts()
FRENCH = Texts(
    lang="fr",
    other="en",
    elsewhere=ENGLISH_PATH,
    toggle="English",
    title="Cour fédérale - Dossiers de la Cour",
    heading="Dossiers de la Cour",
    site_search="Recherche dans le site",
    notice_title="Interruption de service prévue",
    notice="Le dépôt électronique ne sera pas disponible de jeudi à lundi. Les dossiers restent accessibles.",
    tabs=(
        "Recherche par nom de partie",
        "Recherche par numéro de dossier",
        "Propriété intellectuelle",
        "Dossiers connexes",
    ),
    courts=("Cour fédérale", "Cour d'appel fédérale", "Les deux"),
    clear="Effacer",
    submit="Soumettre",
    close="Fermer",
    print="Imprimer",
    columns=("Numéro de dossier", "Intitulé de la cause", "Nature de la procédure", "Parties", "Plus"),
    buttons=("Afficher 10", "Copier", "Excel", "PDF", "Imprimer"),
    info="Affichage de # à # sur # entrées",
    no_data="Aucune donnée disponible dans le tableau",
    recorded="Information sur les inscriptions enregistrées",
    parties="Information sur les parties",
    type="Type",
    action="Type d'action",
    nature="Nature de la procédure",
    filed="Date de dépôt",
    office="Bureau",
    language="Langue",
    legend="Comment lire les inscriptions enregistrées :",
    city="Ville",
    document="Nom du document",
    caption="Information sur le dossier de la Cour",
    entry_columns=("ID", "Date de dépôt", "Bureau", "Sommaire de l'inscription", "Télécharger"),
    party_columns=("Nom de la partie", "Cabinet", "Personne-ressource"),
)
