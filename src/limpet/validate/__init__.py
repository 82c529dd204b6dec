"""A record is JUDGED: accepted, dropped or quarantined, always with a reason."""

from limpet.validate.verdict import Accepted, Circumstances, Dropped, Quarantined, Rule, Verdict, judge

__all__ = ["Accepted", "Circumstances", "Dropped", "Quarantined", "Rule", "Verdict", "judge"]
