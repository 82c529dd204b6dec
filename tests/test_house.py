"""The rules of the house, checked on the code itself. Each check is shown bad samples too: it can fail."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from limpet import errors
from limpet.assembly import all_apps
from limpet.cli.table import VERBS
from limpet.record.crash_points import POINTS
from limpet.record.tables import metadata
from limpet.settings import NOT_SETTINGS, PREFIX, Settings
from tidepool.faults import BEHAVIOURS

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"

CORRIDOR = [
    "source", "target", "fetch", "extract", "validate", "record", "observe", "engine", "apps", "web", "cli",
]  # fmt: skip
GROUND = {"errors", "clock", "__version__"}
# Not rooms but doors: only those who open the house may use them, and what each may use in turn.
DOORS = {
    "logs": set(),
    "configuration": {"source", "target"},
    "settings": {"configuration"},
    "assembly": {*CORRIDOR[:-2], "configuration", "settings", "logs"},
    "__main__": {"cli"},
}
OPENERS = {"web", "cli"}
FOR_A_SITE = {"source", "target", "fetch", "extract", *GROUND}
FORBIDDEN_NAMES = re.compile(r"(^|_)(utils?|helpers?|manager|common|misc)($|_)")
LONGEST_FILE = 400


# -- reading imports ---------------------------------------------------------------------------------------


def modules(src: Path, package: str) -> Iterator[tuple[Path, list[str]]]:
    """Yield every file of a package with its dotted name in parts."""
    for path in sorted((src / package).rglob("*.py")):
        parts = list(path.relative_to(src).with_suffix("").parts)
        yield path, parts


def imports(path: Path, parts: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield line and full name of all a file imports: anywhere in it, for types only, or by import_module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = parts[: len(parts) - node.level] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            yield from ((node.lineno, [*base, alias.name]) for alias in node.names)
        elif isinstance(node, ast.Call) and called_name(node) in {"import_module", "__import__"}:
            yield from ((node.lineno, name.split(".")) for name in literal_words(node))


def called_name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def literal_words(node: ast.Call) -> Iterator[str]:
    """The name given to import_module: a text, or the beginning of an f-string."""
    argument = node.args[0] if node.args else None
    if isinstance(argument, ast.JoinedStr) and argument.values:
        argument = argument.values[0]
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield argument.value.rstrip(".")


# -- the checks: each returns what is wrong ----------------------------------------------------------------


def imports_that_look_right(src: Path) -> list[str]:
    """Imports of a room further right, or of a door by somebody who does not open the house."""
    wrong = []
    for path, parts in modules(src, "limpet"):
        room = parts[1] if len(parts) > 1 else "__init__"
        allowed = rooms_open_to(room)
        for line, name in imports(path, parts):
            if name[0] == "limpet" and len(name) > 1 and name[1] not in allowed:
                wrong.append(f"{path.relative_to(src)}:{line}: {room} imports {'.'.join(name)}")
    return wrong


def rooms_open_to(room: str) -> set[str]:
    if room in GROUND or room == "__init__":
        return GROUND
    if room in DOORS:
        return GROUND | {room} | DOORS[room]
    left = set(CORRIDOR[: CORRIDOR.index(room) + 1]) if room in CORRIDOR else {room}
    return GROUND | left | (set(DOORS) - {"__main__"} if room in OPENERS else set())


def apps_that_know_a_sibling(src: Path) -> list[str]:
    wrong = []
    apps = {path.name for path in (src / "limpet" / "apps").glob("*/")}
    for path, parts in modules(src, "limpet"):
        if len(parts) < 4 or parts[1] != "apps" or parts[2] not in apps:
            continue
        for line, name in imports(path, parts):
            if name[:2] == ["limpet", "apps"] and name[2:3] != parts[2:3] and name[2:3] and name[2] in apps:
                wrong.append(f"{path.relative_to(src)}:{line}: {parts[2]} imports its sibling {name[2]}")
    return wrong


def sites_that_reach_too_far(src: Path) -> list[str]:
    """A site may use what reads a page, and of its app what itself uses no more: its record, say."""
    wrong = []
    for path, parts in modules(src, "limpet"):
        if len(parts) >= 6 and parts[1] == "apps" and parts[3] == "sites":
            reach = too_far(src, path, parts=parts, own_site=parts[:5], seen=set())
            wrong += [f"{path.relative_to(src)}: the site {parts[4]} reaches {each}" for each in reach]
    return wrong


def too_far(src: Path, path: Path, *, parts: list[str], own_site: list[str], seen: set[Path]) -> list[str]:
    wrong: list[str] = []
    for line, name in imports(path, parts):
        if name[0] != "limpet" or name[1:2] == [] or name[1] in FOR_A_SITE or name[:5] == own_site:
            continue
        found = file_of(src, name) if name[:3] == own_site[:3] and name[3:4] != ["sites"] else None
        if found is None:
            wrong.append(f"{'.'.join(name)} ({path.relative_to(src)}:{line})")
        elif found not in seen:
            seen.add(found)
            own_parts = list(found.relative_to(src).with_suffix("").parts)
            wrong += too_far(src, found, parts=own_parts, own_site=own_site, seen=seen)
    return wrong


def file_of(src: Path, name: list[str]) -> Path | None:
    """Return the module of an app a name leads to; the app's own front page is none, it leads everywhere."""
    for length in (len(name), len(name) - 1):
        place = src.joinpath(*name[:length])
        for candidate in (place.with_suffix(".py"), place / "__init__.py"):
            if length > 3 and candidate.is_file():
                return candidate
    return None


def worlds_that_mix(src: Path) -> list[str]:
    """Tidepool stands for the world outside: it knows nothing of limpet, and only the cli may start it."""
    wrong = [
        f"{path.relative_to(src)}:{line}: tidepool imports {'.'.join(name)}"
        for path, parts in modules(src, "tidepool")
        for line, name in imports(path, parts)
        if name[0] == "limpet"
    ]
    return wrong + [
        f"{path.relative_to(src)}:{line}: {parts[1]} imports tidepool"
        for path, parts in modules(src, "limpet")
        for line, name in imports(path, parts)
        if name[0] == "tidepool" and parts[1] != "cli"
    ]


def readers_of_the_environment(src: Path) -> list[str]:
    wrong = []
    for path, parts in modules(src, "limpet"):
        if parts == ["limpet", "settings"]:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            names += [node.attr] if isinstance(node, ast.Attribute) else []
            if {"environ", "environb", "getenv"} & set(names):
                wrong.append(f"{path.relative_to(src)}:{getattr(node, 'lineno', 0)}: reads the environment")
    return wrong


def files_with_drawer_names(src: Path) -> list[str]:
    return [
        f"{path.relative_to(src)}: a name that says nothing"
        for package in ("limpet", "tidepool")
        for path in sorted((src / package).rglob("*"))
        if FORBIDDEN_NAMES.search(path.stem)
    ]


def files_too_long(src: Path) -> list[str]:
    return [
        f"{path.relative_to(src)}: {lines} lines"
        for path in sorted(src.rglob("*.py"))
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST_FILE
    ]


def not_in_a_table(names: Iterable[str], page: str) -> list[str]:
    """Names without a row of their own: `| `name` | ...`."""
    rows = set(re.findall(r"^\| `([^`]+)`", page, re.MULTILINE))
    return sorted(set(names) - rows)


def no_longer_there(names: Iterable[str], page: str) -> list[str]:
    rows = set(re.findall(r"^\| `([^`]+)`", page, re.MULTILINE))
    return sorted(rows - set(names))


# -- the house as it is ------------------------------------------------------------------------------------

Check = Callable[[Path], list[str]]
CHECKS: list[Check] = [
    imports_that_look_right,
    apps_that_know_a_sibling,
    sites_that_reach_too_far,
    worlds_that_mix,
    readers_of_the_environment,
    files_with_drawer_names,
    files_too_long,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_house_keeps_its_rule(check: Check) -> None:
    assert check(SRC) == []


SAMPLES: list[tuple[Check, str, str]] = [
    (imports_that_look_right, "limpet/fetch/x.py", "from limpet.record import Ledger"),
    (imports_that_look_right, "limpet/fetch/x.py", "import limpet.engine.run"),
    (imports_that_look_right, "limpet/fetch/x.py", "from limpet import record"),
    (imports_that_look_right, "limpet/fetch/x.py", "from ..record import entry"),
    (imports_that_look_right, "limpet/fetch/x.py", "from .. import record"),
    (imports_that_look_right, "limpet/fetch/policy/x.py", "from ...engine.run import start"),
    (imports_that_look_right, "limpet/fetch/x.py", "def f():\n    from limpet.apps import prices"),
    (imports_that_look_right, "limpet/fetch/x.py", "if TYPE_CHECKING:\n    from limpet.record import Ledger"),
    (imports_that_look_right, "limpet/fetch/x.py", "importlib.import_module('limpet.record.entry')"),
    (imports_that_look_right, "limpet/fetch/x.py", "import_module(f'limpet.apps.{name}')"),
    (imports_that_look_right, "limpet/fetch/x.py", "__import__('limpet.web')"),
    (imports_that_look_right, "limpet/record/x.py", "from limpet.settings import Settings"),
    (imports_that_look_right, "limpet/engine/x.py", "from limpet.assembly import build"),
    (imports_that_look_right, "limpet/web/x.py", "from limpet.cli import main"),
    (imports_that_look_right, "limpet/errors.py", "from limpet.source import Source"),
    (imports_that_look_right, "limpet/configuration/x.py", "from limpet.record import Ledger"),
    (imports_that_look_right, "limpet/unheard_of/x.py", "from limpet.source import Source"),
    (apps_that_know_a_sibling, "limpet/apps/prices/x.py", "from limpet.apps.dockets import record"),
    (apps_that_know_a_sibling, "limpet/apps/prices/sites/one/page.py", "from ....dockets import record"),
    (sites_that_reach_too_far, "limpet/apps/prices/sites/one/page.py", "from limpet.record import Ledger"),
    (
        sites_that_reach_too_far,
        "limpet/apps/prices/sites/one/page.py",
        "from limpet.apps.prices import rules",
    ),
    (sites_that_reach_too_far, "limpet/apps/prices/sites/one/page.py", "from ..two import page"),
    (sites_that_reach_too_far, "limpet/apps/prices/sites/one/page.py", "from limpet.apps.prices import pen"),
    (worlds_that_mix, "tidepool/x.py", "from limpet.errors import LimpetError"),
    (worlds_that_mix, "limpet/engine/x.py", "import tidepool.serve"),
    (readers_of_the_environment, "limpet/fetch/x.py", "import os\nos.environ['X']"),
    (readers_of_the_environment, "limpet/fetch/x.py", "import os as o\no.getenv('X')"),
    (readers_of_the_environment, "limpet/fetch/x.py", "from os import environ"),
    (files_with_drawer_names, "limpet/fetch/utils.py", ""),
    (files_with_drawer_names, "limpet/record/run_manager.py", ""),
    (files_with_drawer_names, "tidepool/common/x.py", ""),
    (files_too_long, "limpet/fetch/x.py", "x = 1\n" * (LONGEST_FILE + 1)),
]


@pytest.mark.parametrize(("check", "name", "text"), SAMPLES)
def test_the_check_objects_to_a_bad_sample(check: Check, name: str, text: str, tmp_path: Path) -> None:
    for sibling in ("prices", "dockets"):
        (tmp_path / "limpet" / "apps" / sibling).mkdir(parents=True)
    (tmp_path / "limpet/apps/prices/pen.py").write_text("from limpet.record import Ledger")
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(text, encoding="utf-8")

    assert len(check(tmp_path)) == 1


GOOD_SAMPLES = [
    ("limpet/record/x.py", "from limpet.fetch import Page\nfrom limpet.errors import LimpetError"),
    ("limpet/record/x.py", "from . import entry\nfrom .entry import Run\nimport os\nos.path.join('a')"),
    (
        "limpet/cli/verbs/x.py",
        "import tidepool\nfrom limpet.settings import Settings\nfrom limpet.web import app",
    ),
    (
        "limpet/apps/prices/sites/one/page.py",
        "from limpet.extract import Site\nfrom limpet.apps.prices.record import O",
    ),
    ("limpet/apps/prices/sites/one/page.py", "from .selectors import PRICE\nfrom ...record import Offer"),
    ("limpet/settings.py", "import os\nos.environ['X']\nfrom limpet.configuration import load_config"),
    ("limpet/assembly.py", "from limpet.apps.prices import app\nfrom limpet.settings import Settings"),
]


@pytest.mark.parametrize(("name", "text"), GOOD_SAMPLES)
def test_no_check_objects_to_a_good_sample(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "limpet/apps/prices").mkdir(parents=True)
    (tmp_path / "limpet/apps/prices/record.py").write_text("from limpet.extract import Site")
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(text, encoding="utf-8")

    assert [complaint for check in CHECKS for complaint in check(tmp_path)] == []


# -- what is documented ------------------------------------------------------------------------------------


def all_errors(root: type[errors.LimpetError] = errors.LimpetError) -> Iterator[type[errors.LimpetError]]:
    """Yield the whole tree: what stands on the ground floor, and what apps and doors add in modules of that name."""
    for path in SRC.rglob("errors.py"):
        importlib.import_module(".".join(path.relative_to(SRC).with_suffix("").parts))
    yield root
    for child in root.__subclasses__():
        if child.__module__.startswith("limpet."):
            yield from all_errors(child)


def documented() -> Iterator[tuple[str, list[str]]]:
    yield "errors.md", [error.code for error in all_errors()]
    yield "settings.md", [PREFIX + name.upper() for name in Settings.model_fields] + sorted(NOT_SETTINGS)
    yield "cli.md", [verb.name for verb in VERBS]
    yield "reliability.md", [*POINTS, *BEHAVIOURS]


@pytest.mark.parametrize(("page", "names"), list(documented()))
def test_every_name_has_a_row_in_its_page_and_every_row_a_name(page: str, names: list[str]) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")

    assert not_in_a_table(names, text) == []
    assert no_longer_there(names, text) == []


def test_the_error_page_tells_the_truth_about_trying_again() -> None:
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")

    stated = dict(re.findall(r"^\| `([^`]+)` \| (yes|no) \|", page, re.MULTILINE))

    assert stated == {error.code: "yes" if error.retryable else "no" for error in all_errors()}


def test_the_error_page_lists_under_exit_code_2_what_exits_so() -> None:
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    section = page.partition("(exit code 2)")[2].partition("\n## ")[0]

    listed = re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)

    assert sorted(listed) == sorted(
        {error.code for error in all_errors() if issubclass(error, errors.UsageError)}
    )


def test_the_ledger_page_names_every_table() -> None:
    assert all_apps()  # their tables are in the metadata once they are imported

    text = (ROOT / "docs" / "ledger.md").read_text(encoding="utf-8")

    assert not_in_a_table(sorted(metadata.tables), text) == []


def test_no_two_errors_share_a_code() -> None:
    codes = [error.code for error in all_errors()]

    assert sorted(codes) == sorted(set(codes))


def test_an_undocumented_name_is_noticed() -> None:
    page = "| `known` | yes |\n| `gone` | no |\nmentions `loose` in passing\n"

    assert not_in_a_table(["known", "loose"], page) == ["loose"]
    assert no_longer_there(["known", "loose"], page) == ["gone"]


# -- lint and types ----------------------------------------------------------------------------------------


@pytest.mark.timeout(600)  # without its cache the type checker needs a minute on a busy machine
@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]],
    ids=["lint", "format", "types"],
)
def test_the_house_is_clean(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
