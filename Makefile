# Limpet's few commands. A bare machine needs Python 3.11 or newer, and make.
#
#   make run      start the pretend web and the whole service, until Ctrl-C     ARGS="--port 9000" adds options
#   make test     run every test, with a real Redis, Postgres and Chromium      ARGS="tests/cli -x" chooses some;
#                                                                               WORKERS=4 for more of them at once
#   make check    lint, formatting and types
#   make setup    the environment for both; run and test do it by themselves
#   make browser  find a Chromium, or get one
#   make bench    measure against a bare loop, Scrapy and Crawlee
#   make soak     the long version of the kill tests, and the three proofs of the match monitor, ten minutes each
#   make schema   write today's schema anew, after a migration script was added
#   make lock     write requirements/*.lock anew (needs uv)

VENV := .venv/bin
ARGS ?=
# Tests wait for most of their time, for a pace, a rest or a browser: a third one keeps two cores busy meanwhile.
WORKERS ?= 3
SET_UP = python=$$(PYTHON="$(PYTHON)" sh scripts/find-python) && "$$python" scripts/setup.py
COMPILE = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

.PHONY: run test check setup browser bench soak schema lock

run:
	@$(SET_UP) run
	@exec $(VENV)/limpet demo $(ARGS)

test:
	@$(SET_UP) dev
	@LIMPET_CHROMIUM="$$($(VENV)/python scripts/browser.py)" LIMPET_REQUIRE_SERVERS=1 PYTHONDONTWRITEBYTECODE= \
		$(VENV)/python -m pytest -n $(WORKERS) --dist loadgroup $(ARGS)

check:
	@$(SET_UP) dev
	@$(VENV)/ruff check .
	@$(VENV)/ruff format --check .
	@$(VENV)/mypy

setup:
	@$(SET_UP) dev

browser:
	@$(SET_UP) dev
	@$(VENV)/python scripts/browser.py

bench:
	@$(SET_UP) dev
	@$(VENV)/python bench/run.py $(ARGS)

soak:
	@$(SET_UP) dev
	@LIMPET_CHROMIUM="$$($(VENV)/python scripts/browser.py)" LIMPET_REQUIRE_SERVERS=1 SOAK_KILLS="$(or $(KILLS),1000)" \
		SOAK_BROWSER_CASES=300 SOAK_OUTAGES="$(or $(OUTAGES),20)" SOAK_REQUESTS="$(or $(REQUESTS),200)" $(VENV)/python -m pytest --timeout 0 tests/faults tests/journeys/test_scaled.py tests/journeys/test_scaled_outages.py tests/web/test_openapi.py tests/web/test_odd_addresses.py tests/journeys/test_docket_browser.py $(ARGS)
	@LIMPET_CHROMIUM="$$($(VENV)/python scripts/browser.py)" && export LIMPET_CHROMIUM && \
		for proof in fresh delay chaos; do $(VENV)/python -m bench.matches $$proof --minutes "$(or $(MINUTES),10)" || exit 1; done

schema:
	@$(SET_UP) dev
	@$(VENV)/python scripts/schema.py

lock:
	$(COMPILE) pyproject.toml -o requirements/run.lock
	$(COMPILE) pyproject.toml --group dev -o requirements/dev.lock
