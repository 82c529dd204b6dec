"""Page templates of a shop, with what every shop's templates may use."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tidepool.trade.catalogue import CATEGORIES, MAKERS, slug_of
from tidepool.trade.json_ld import in_script
from tidepool.trade.money import dollars, padded


def templates_of(module_file: str) -> Environment:
    """Return the templates in the folder `templates` beside a module."""
    templates = Environment(
        loader=FileSystemLoader(Path(module_file).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.filters.update(slug=slug_of, dollars=dollars, padded=padded, in_script=in_script)
    templates.globals.update(categories=CATEGORIES, makers=MAKERS)
    return templates
