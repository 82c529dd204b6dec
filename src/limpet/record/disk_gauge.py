"""Says every so often how much room is left where files are kept."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

_FILES_BETWEEN_LOOKS = 100
_MEGABYTE = 1_000_000


@dataclass(slots=True)
class DiskGauge:
    """Counts files; at the first and then at every hundredth it looks, and logs what it sees."""

    directory: Path
    _begun: int = 0

    def note_file(self) -> None:
        """One more file is about to be written."""
        if self._begun % _FILES_BETWEEN_LOOKS == 0:
            import structlog  # noqa: PLC0415 - not for those who keep no files

            free = shutil.disk_usage(self.directory).free
            structlog.get_logger("limpet.disk").info(
                "disk_free", free_mb=free // _MEGABYTE, files_begun=self._begun
            )
        self._begun += 1
