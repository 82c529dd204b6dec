"""The API held to its own description by generated requests: no fault of ours, nothing it does not describe."""

from __future__ import annotations

import os
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import checks

# A handful of each operation in `make test`, hundreds in all; thousands in `make soak`.
EXAMPLES = int(os.environ.get("SOAK_REQUESTS", "4"))
LEFT_OUT = ("/stream",)  # these never end
CHECKS = (
    checks.not_a_server_error,
    checks.response_schema_conformance,
    checks.content_type_conformance,
)


def _first(wrong: BaseException) -> str:
    """Return what was wrong, by the first of what was found."""
    while isinstance(wrong, BaseExceptionGroup):
        wrong = wrong.exceptions[0]
    return " ".join(str(wrong).split())[:300]


def described(portal: Any) -> Any:
    document = portal.get("/api/openapi.json").json()
    kept = {path: item for path, item in document["paths"].items() if not path.endswith(LEFT_OUT)}
    schema = schemathesis.openapi.from_dict(document | {"paths": kept})
    schema.config.update(base_url=portal.base)
    return schema


def operations(portal: Any) -> list[Any]:
    return [result.ok() for result in described(portal).get_all_operations()]


@pytest.mark.timeout(0 if EXAMPLES > 100 else 170)
def test_generated_requests_find_no_fault(playground: Any) -> None:
    troubles: list[str] = []
    for operation in operations(playground):
        playground.admit_again()  # the operation before may have removed whoever asked

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=EXAMPLES < 100,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            response = case.call(headers={"Authorization": f"Bearer {playground.token}"}, timeout=20)
            case.validate_response(response, checks=CHECKS)

        try:
            ask()
        except (Exception, BaseExceptionGroup) as wrong:
            troubles.append(f"{operation.label}: {_first(wrong)}")

    assert not troubles, "\n".join(troubles)


def test_strangers_are_refused_at_every_operation(playground: Any) -> None:
    playground.admit_again()
    for operation in operations(playground):
        path = operation.path.replace("{", "").replace("}", "")
        if path in ("/health", "/ready", "/api/v1/health") or path.startswith("/webhook/"):
            continue
        answer = playground.ask(operation.method.upper(), path)
        assert answer.status in (401, 303), (operation.label, answer.status)
        assert operation.definition.raw.get("description"), operation.label
