"""The peers' own environment: made when the bench first runs, made again when its requirements change."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "bench" / "requirements.txt"
PEERS = ROOT / ".bench-venv"
PEER_PYTHON = PEERS / "bin" / "python"
LIMPET_PYTHON = ROOT / ".venv" / "bin" / "python"
SHARED_PARTS = ("aiohttp", "uvloop", "selectolax", "orjson")


def prepare() -> None:
    """Make sure the peers are installed as pinned."""
    stamp = PEERS / "requirements.sha256"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted and PEER_PYTHON.exists():
        return
    print(f"installing the peers into {PEERS.name} ...", file=sys.stderr, flush=True)
    _install(shutil.which("uv"))
    stamp.write_text(wanted)


def _install(uv: str | None) -> None:
    # Compiled now, so that no client pays for it while it is being timed.
    if uv:
        _run(uv, "venv", "-q", "--clear", "--python", sys.executable, PEERS)
        _run(uv, "pip", "install", "-q", "--compile-bytecode", "--python", PEER_PYTHON, "-r", REQUIREMENTS)
    else:
        _run(sys.executable, "-m", "venv", "--clear", PEERS)
        _run(PEER_PYTHON, "-m", "pip", "install", "-q", "-r", REQUIREMENTS)
        subprocess.run([PEER_PYTHON, "-m", "compileall", "-q", PEERS / "lib"], check=False)


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True)


def versions(python: Path, names: tuple[str, ...]) -> dict[str, str]:
    """Return the installed version of each distribution; empty when it is not there."""
    script = (
        "import sys, importlib.metadata as m\n"
        "for name in sys.argv[1:]:\n"
        "    try: print(m.version(name))\n"
        "    except m.PackageNotFoundError: print()\n"
    )
    answer = subprocess.run([python, "-c", script, *names], check=True, capture_output=True, text=True)
    return dict(zip(names, answer.stdout.split("\n"), strict=False))


def uneven_parts() -> list[str]:
    """Name the parts that Limpet and the bare loop do not have in the same version."""
    if not LIMPET_PYTHON.exists():
        return []
    ours, theirs = versions(LIMPET_PYTHON, SHARED_PARTS), versions(PEER_PYTHON, SHARED_PARTS)
    return [f"{name} {ours[name]} / {theirs[name]}" for name in SHARED_PARTS if ours[name] != theirs[name]]
