"""Reads YAML as data: no objects, and no key given twice."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from limpet.errors import ConfigError


class _UniqueKeys(yaml.SafeLoader):
    """The safe loader, which also refuses a key given twice: the first one would silently lose."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.MarkedYAMLError(None, None, f'the key "{key.value}" stands twice', key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def read_yaml(path: Path, text: str) -> Any:
    """Return what the text holds, or raise ConfigError with the line at fault."""
    try:
        return _UniqueKeys(text).get_single_data()
    except yaml.MarkedYAMLError as wrong:
        line = f" at line {wrong.problem_mark.line + 1}" if wrong.problem_mark else ""
        raise ConfigError(
            f"{path} is not valid YAML{line}: {wrong.problem}.", fix="Correct that line."
        ) from wrong
    except (yaml.YAMLError, RecursionError, ValueError) as wrong:
        problem = str(wrong).partition("\n")[0]
        raise ConfigError(f"{path} is not valid YAML: {problem}.", fix="Correct that line.") from wrong
