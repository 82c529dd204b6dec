"""The text of a site: a folder of a few lines, or tables for the config file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from limpet.apps.prices.models.page_plan import At, PagePlan
from limpet.apps.prices.scaffold.material import Draft, as_text, quoted

_SITES = "limpet.apps.prices.sites"
_MODELS = "limpet.apps.prices.models"
_LONGEST_LINE = 90
_FUTURE = "from __future__ import annotations\n\n"


def module_texts(site_id: str, domain: str, draft: Draft) -> dict[str, str]:
    """Return the modules of the site by file name."""
    write = {
        "woocommerce": _woocommerce,
        "json_ld": _json_ld,
        "json_api": _json_api,
        "configured": _configured,
    }
    return {"__init__.py": _front(site_id, domain, draft), **write[draft.model](site_id, draft)}


def notes(site_id: str, domain: str, url: str, draft: Draft) -> str:
    """Return NOTES.md: what a person still has to find out."""
    remarks = "".join(f"- {each}\n" for each in draft.remarks)
    return (
        f"# {site_id}\n\n"
        "**Terms.** Nobody is approved by this file. Before the source is enabled, a person reads the shop's terms\n"
        "and robots.txt and enters their name and the date into the source's configuration.\n\n"
        f"**Where it comes from.** Written by `limpet new site` from one saved page of {domain}, read by the model\n"
        f"`{draft.model}`. One page proves one page: save one that is sold out, one on sale, one with variants and\n"
        "one that is gone, read each with `limpet parse`, and add what is special about them as fixtures.\n\n"
        f"**Address.** `{url}`\n" + (f"\n**To be found out.**\n{remarks}" if remarks else "")
    )


def config_text(site_id: str, domain: str, url: str, *, plan: PagePlan, host: str, http_only: bool) -> str:
    """Return the `[[sites]]` and `[[sources]]` tables."""
    lines = [
        "[[sites]]", f"id = {_toml(site_id)}", f"version = {_toml(plan.version)}", 'app = "prices"',
        f"domain = {_toml(domain)}", *([f"answers = {_toml(plan.answers)}"] if plan.answers != "html" else []),
        *([f"currency = {_toml(plan.currency)}"] if plan.currency else []), "", "[sites.fields]",
        *(f"{name} = {_places(places)}" for name, places in plan.fields.items()),
        "", "[[sources]]", f"id = {_toml(site_id)}", 'app = "prices"', f"site = {_toml(site_id)}",
        f"hosts = [{_toml(host)}]", *(["http_only = true"] if http_only else []),
        "enabled = false", 'disabled_reason = "written by limpet new site: read the terms, then switch it on"',
        f"targets = [{_toml(url)}]", "", "[sources.terms]",
        "# reviewed_at = 2026-01-31", '# approved_by = "Your Name"',
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _front(site_id: str, domain: str, draft: Draft) -> str:
    is_json = draft.model == "json_api"
    route = f"from {_MODELS}.json_api import ask_for_json\n" if is_json else ""
    return (
        f'"""{site_id} ({domain}): written from a saved page, read by the model {draft.model}."""\n\n'
        f"{route}from {_SITES}.{site_id}.page import PAGE, VERSION\nfrom limpet.extract import Site\n\n"
        f'SITE = Site(\n    id="{site_id}",\n    version=VERSION,\n    app="prices",\n    domain={quoted(domain)},\n'
        f"    page_model=PAGE,\n{'    route=ask_for_json,' + chr(10) if is_json else ''})\n\n"
        '__all__ = ["SITE"]\n'
    )


def _woocommerce(site_id: str, draft: Draft) -> dict[str, str]:
    defaults = ("amount", "sale_amount", "crossed_out", "variation")
    given = {name: value for name, value in draft.places.items() if name not in defaults}
    lines = "".join(f"    {name}={quoted(value)},\n" for name, value in given.items())
    selectors = (
        f'"""Where the theme puts things."""\n\n{_FUTURE}from {_MODELS}.product_box import WooCommerceSelectors\n\n'
        f"SELECTORS = WooCommerceSelectors(\n{lines})\n"
    )
    page = (
        '"""How a product page is read: the shared WooCommerce reading with this theme\'s selectors."""\n\n'
        f"{_FUTURE}from {_MODELS}.woocommerce import WooCommercePage\n"
        f"from {_SITES}.{site_id}.selectors import SELECTORS\n\n"
        f'VERSION = "{draft.offer.adapter_version}"\nPAGE = WooCommercePage(selectors=SELECTORS, version=VERSION)\n'
    )
    return {"page.py": page, "selectors.py": selectors}


def _json_ld(site_id: str, draft: Draft) -> dict[str, str]:
    parameter = draft.places["variant_parameter"]
    chosen = f", variant_parameter={quoted(parameter)}" if parameter else ""
    page = (
        f'"""How a product page is read: its JSON-LD states the offer."""\n\n{_FUTURE}'
        f'from {_MODELS}.json_ld import JsonLdPage\n\nVERSION = "{draft.offer.adapter_version}"\n'
        f"PAGE = JsonLdPage(version=VERSION{chosen})\n"
    )
    return {"page.py": page}


def _json_api(site_id: str, draft: Draft) -> dict[str, str]:
    given = {name: paths for name, paths in draft.places["fields"].items() if paths}
    lines = "".join(f"    {name}={_tuple(paths)},\n" for name, paths in given.items())
    named = ", ".join(f"{quoted(name)}: {quoted(path)}" for name, path in draft.places["named_by"].items())
    page = (
        f'"""How an answer is read: the paths of its fields."""\n\n{_FUTURE}'
        f"from {_MODELS}.json_api import JsonApiPage, JsonFields\n\n"
        f'VERSION = "{draft.offer.adapter_version}"\n\n_FIELDS = JsonFields(\n{lines})\n'
        f"PAGE = JsonApiPage(\n    version=VERSION,\n    fields=_FIELDS,\n    items={quoted(draft.places['items'])},\n"
        f"    named_by={{{named}}},\n)\n"
    )
    return {"page.py": page}


def _configured(site_id: str, draft: Draft) -> dict[str, str]:
    plan: PagePlan = draft.places["plan"]
    lines = "".join(
        f"    {quoted(name)}: ({', '.join(as_text(each) for each in places)}{',' if len(places) == 1 else ''}),\n"
        for name, places in plan.fields.items()
    )
    selectors = (
        f'"""Where the shop puts things; several places of a price are witnesses that must agree."""\n\n{_FUTURE}'
        f"from {_MODELS}.page_plan import At\n\nFIELDS = {{\n{lines}}}\n"
    )
    page = (
        f'"""How a product page is read: each field from its own place."""\n\n{_FUTURE}'
        f"from {_MODELS}.configured import ConfiguredPage\nfrom {_MODELS}.page_plan import PagePlan\n"
        f"from {_SITES}.{site_id}.selectors import FIELDS\n\n"
        f'VERSION = "{draft.offer.adapter_version}"\n'
        f"PAGE = ConfiguredPage(PagePlan(VERSION, FIELDS, currency={quoted(plan.currency or '')}))\n"
    )
    return {"page.py": page, "selectors.py": selectors}


def _places(places: tuple[At, ...]) -> str:
    written = [
        _table({name: getattr(each, name) for name in At.__slots__ if getattr(each, name)}) for each in places
    ]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"


def _table(values: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{name} = {_toml(value)}" for name, value in values.items()) + "}"


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _tuple(values: tuple[str, ...]) -> str:
    texts = [quoted(each) for each in values]
    if len(texts) == 1:
        return f"({texts[0]},)"
    line = f"({', '.join(texts)})"
    return (
        line
        if len(line) <= _LONGEST_LINE
        else "(\n" + "".join(f"        {each},\n" for each in texts) + "    )"
    )


def plan_of_answer(draft: Draft) -> PagePlan:
    """Return a draft of an answer as the config file would have it: every path from the top."""
    return PagePlan(draft.offer.adapter_version, dict(_answer_fields(draft)), answers="json")


def _answer_fields(draft: Draft) -> Iterator[tuple[str, tuple[At, ...]]]:
    base, known = draft.places["items"], draft.places["fields"]
    names = {
        "title": "title",
        "prices": "price",
        "stock": "availability",
        "sku": "sku",
        "product_id": "product_id",
    }
    for own, name in (names | {"upc": "upc", "brand": "brand"}).items():
        if known[own]:
            yield name, tuple(At(json_path=".".join(p for p in (base, path) if p)) for path in known[own])
    if known["currency"]:
        yield "currency", tuple(At(json_path=path) for path in known["currency"])
