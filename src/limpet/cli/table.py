"""The table of verbs. To add one: write `verbs/<name>.py` with its `app`, and a line here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """One word people can say, and what it does in a line. Its module is imported when it is said."""

    name: str
    group: str
    summary: str

    @property
    def module(self) -> str:
        return f"limpet.cli.verbs.{self.name.replace('-', '_')}"


VERBS = (
    Verb("init", "Start", "write a commented limpet.toml to begin with"),
    Verb("doctor", "Start", "check this machine and say how to fix what is missing"),
    Verb("new", "Start", "write a site from a saved page, proven by reading it back"),
    Verb("targets", "Work", "add, import, list, pause, tag and export what is watched"),
    Verb("discover", "Work", "find addresses of products in a sitemap or listing, into a file to review"),
    Verb("run", "Work", "walk an app's targets once and record what was found"),
    Verb("resume", "Work", "go on with a run where it stopped"),
    Verb("reextract", "Work", "read recorded pages again with today's adapters; before and after"),
    Verb("adapters", "Work", "how adapters stand; switch one off, or on again once it is mended"),
    Verb("repair", "Work", "what changed on a drifted site: both pages, candidates, a failing test"),
    Verb("sources", "Work", "switch a source off, or on again"),
    Verb("alerts", "Work", "what asks for a person: list, show, acknowledge, resolve, test"),
    Verb("quarantine", "Work", "records set aside: list, accept, correct, reject"),
    Verb("dockets", "Work", "the last case number of a year, how its numbers ended; take a year out"),
    Verb("stop", "Work", "the emergency stop: nothing more is asked of any site until it is released"),
    Verb("serve", "Work", "run scheduler, workers and portal until Ctrl-C"),
    Verb("accounts", "Doors", "who may come in to the portal: add, password, role, link, remove"),
    Verb("tokens", "Doors", "what programs use the API with: create, list, revoke"),
    Verb("worker", "Scale", "walk what others have planned, beside other workers"),
    Verb("scheduler", "Scale", "plan what is due and hand it to the workers"),
    Verb("web", "Scale", "show the portal alone; workers walk what is asked for there"),
    Verb("migrate", "Scale", "bring the ledger to today's schema, or move it to another database"),
    Verb("status", "Scale", "who works and at what, and who leads"),
    Verb("backup", "Keep", "write the whole data directory into one file, and read it back"),
    Verb("restore", "Keep", "put a backup into an empty data directory, and prove it"),
    Verb("retention", "Keep", "how long pages and notes are kept: what would go, and let it go"),
    Verb("list", "Look", "list runs, sources or sites"),
    Verb("show", "Look", "show one run: counts, reasons, jobs"),
    Verb("verify", "Look", "prove that every run balances and every file matches its hash"),
    Verb("judgments", "Work", "sync a court's index, and compare its versions"),
    Verb("matches", "Look", "live matches: how they stand, pause, resume, recycle"),
    Verb("prices", "Look", "current prices, who may see them, and corrections"),
    Verb("gaps", "Look", "find what an archive probably lacks, and the command to fetch it"),
    Verb("export", "Look", "write what was collected as CSV, JSON lines, XLSX or a ZIP"),
    Verb("politeness", "Look", "report how every site saw us"),
    Verb("fetch", "Try", "fetch one page and show what every gate decided"),
    Verb("parse", "Try", "read a saved page offline, with extraction and verdict"),
    Verb("demo", "Try", "see everything work, against a pretend web"),
    Verb("tidepool", "Try", "serve the pretend web alone, to practise on"),
)

BY_NAME = {verb.name: verb for verb in VERBS}
