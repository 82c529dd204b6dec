"""What people may choose for a judgments source in the configuration, under `options`."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from limpet.apps.judgments.criminal import CriminalRule
from limpet.apps.judgments.index.guarding import MOST_REMOVED
from limpet.errors import ConfigError
from limpet.source import Source


class Options(BaseModel):
    """Every option with its default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    index_url: str = ""  # where the index is, when not where the court publishes it
    box_hosts: tuple[str, ...] = ()  # hosts of signed addresses, beside Box's own
    box_api: str = "https://api.box.com"
    criminal_pattern: str = ""  # a category that matches is criminal
    include_criminal: bool = False
    most_removed: Annotated[float, Field(gt=0, le=1)] = MOST_REMOVED
    average_pdf_bytes: Annotated[int, Field(ge=1)] = 400_000  # until we have some of our own to measure

    @field_validator("criminal_pattern")
    @classmethod
    def _compiles(cls, text: str) -> str:
        try:
            re.compile(text)
        except re.error as wrong:
            raise ValueError(f"a regular expression ({wrong})") from None
        return text

    @property
    def criminal_rule(self) -> CriminalRule:
        """The rule as chosen."""
        if not self.criminal_pattern:
            return CriminalRule()
        return CriminalRule(re.compile(self.criminal_pattern, re.IGNORECASE))


def options_of(source: Source) -> Options:
    """Return the source's options, or raise ConfigError naming the one that is wrong."""
    try:
        return Options.model_validate(dict(source.options))
    except ValidationError as wrong:
        first = wrong.errors()[0]
        name = ".".join(map(str, first["loc"])) or "options"
        known = ", ".join(Options.model_fields)
        raise ConfigError(
            f"Source {source.id!r} has an option {name!r} that is not right: {first['msg']}.",
            fix=f"Options of judgments: {known}.",
        ) from wrong
