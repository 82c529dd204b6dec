"""The queue: urgent first, nobody starved, one task per match, never more than fits - and the task's own steps."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from limpet.apps.matches.bursts import Bursts
from limpet.apps.matches.lifecycle import MatchPriority
from limpet.apps.matches.queue import Deferred, QueueBounds, TaskQueue
from limpet.apps.matches.tasks import MAX_ATTEMPTS, TRANSITIONS, ForbiddenStep, ScrapeRequest, TaskState

LIVE, IMMINENT, COMPLETED = MatchPriority.LIVE, MatchPriority.IMMINENT, MatchPriority.COMPLETED


def request(
    match: str, priority: MatchPriority = LIVE, *, at: float = 0.0, domain: str = "crex"
) -> ScrapeRequest:
    return ScrapeRequest(priority, match, domain, at)


def taken(queue: TaskQueue, now: float) -> list[str]:
    """Everything there is to take now, given back at once."""
    found = []
    while (each := queue.take(now)) is not None:
        found.append(each)
    for each in found:
        queue.done(each)
    return [each.match_id for each in found]


def test_live_comes_before_imminent_before_completed() -> None:
    queue = TaskQueue()
    for match, priority in (("done", COMPLETED), ("soon", IMMINENT), ("live", LIVE)):
        queue.offer(request(match, priority))

    assert taken(queue, 0.0) == ["live", "soon", "done"]


def test_nothing_is_taken_before_its_time() -> None:
    queue = TaskQueue()
    queue.offer(request("later", at=5.0))

    assert queue.take(4.9) is None
    assert queue.wait_seconds(4.0) == 1.0
    assert taken(queue, 5.0) == ["later"]


def test_a_domain_is_asked_no_more_within_a_second_than_its_burst_allowance() -> None:
    queue = TaskQueue(bursts=Bursts({"crex": 2}.get))
    for number in range(5):
        queue.offer(request(f"crex{number}"))
        queue.offer(request(f"other{number}", domain="other"))

    assert [each for each in taken(queue, 10.0) if each.startswith("crex")] == ["crex0", "crex1"]
    assert taken(queue, 10.4) == []
    assert queue.wait_seconds(10.4) == pytest.approx(0.6)
    assert taken(queue, 11.0) == ["crex2", "crex3"]
    assert taken(queue, 12.5) == ["crex4"]
    assert queue.wait_seconds(14.0) is None


def test_a_burst_that_ends_bit_by_bit_is_followed_bit_by_bit() -> None:
    queue = TaskQueue(bursts=Bursts(lambda _: 2))
    for number, at in enumerate((0.0, 0.5, 0.5, 0.5)):
        queue.offer(request(str(number), at=at))

    assert taken(queue, 0.0) == ["0"]
    assert taken(queue, 0.5) == ["1"]
    assert taken(queue, 1.0) == ["2"]
    assert taken(queue, 1.5) == ["3"]


def test_a_completed_match_is_not_starved_by_live_ones() -> None:
    queue = TaskQueue(places_at=lambda _: 1)
    queue.offer(request("done", COMPLETED))
    order, now = [], 0.0

    while "done" not in order and now < 200:  # a live task is always due, and only one fits at a time
        queue.offer(request(f"live{now}", at=now))
        task = queue.take(now)
        assert task is not None
        order.append(task.match_id)
        queue.done(task)
        now += 1.0

    assert now <= 61.0


def test_a_domain_without_a_free_place_does_not_hold_up_another() -> None:
    queue = TaskQueue(places_at=lambda _: 1)
    for each in (request("a"), request("b"), request("c", domain="second")):
        queue.offer(each)

    first, second = queue.take(1.0), queue.take(1.0)

    assert [first and first.match_id, second and second.match_id] == ["a", "c"]
    assert queue.take(1.0) is None


def test_there_is_one_task_per_match_and_the_second_only_makes_it_sooner() -> None:
    queue = TaskQueue()
    queue.offer(request("a", COMPLETED, at=100.0))
    queue.offer(request("a", LIVE, at=1.0))

    assert len(queue) == 1
    assert taken(queue, 1.0) == ["a"]
    assert taken(queue, 500.0) == []


def test_a_match_under_way_gets_no_second_task() -> None:
    queue = TaskQueue()
    queue.offer(request("a"))
    running = queue.take(0.0)
    queue.offer(request("a"))

    assert running is not None
    assert queue.take(0.0) is None


@pytest.mark.parametrize("bounds", [QueueBounds(max_size=2), QueueBounds(max_bytes=600)])
def test_a_full_queue_defers_and_loses_nothing(bounds: QueueBounds) -> None:
    queue = TaskQueue(bounds)

    answers = [queue.offer(request(match)) for match in ("a", "b", "c")]

    assert answers[:2] == [None, None]
    assert isinstance(answers[2], Deferred)
    assert taken(queue, 0.0) == ["a", "b"]
    assert queue.offer(request("c")) is None
    assert queue.size_bytes == request("c").size_bytes


def test_a_withdrawn_task_is_never_taken() -> None:
    queue = TaskQueue()
    queue.offer(request("a"))
    queue.withdraw(("crex", "a"))

    assert queue.take(9.0) is None
    assert (len(queue), queue.size_bytes, queue.wait_seconds(0.0)) == (0, 0, None)


class QueueLife(RuleBasedStateMachine):
    """Offers, takes and withdrawals in any order, beside the plainest possible model."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = TaskQueue(QueueBounds(max_size=5), places_at=lambda _: 2)
        self.waiting: dict[tuple[str, str], ScrapeRequest] = {}
        self.running: list[ScrapeRequest] = []
        self.now = 0.0

    @rule(
        match=st.sampled_from("abcdefgh"),
        domain=st.sampled_from(["one", "two"]),
        priority=st.sampled_from(MatchPriority),
        delay=st.sampled_from([0.0, 1.0, 40.0]),
    )
    def offer(self, match: str, domain: str, priority: MatchPriority, delay: float) -> None:
        new = request(match, priority, at=self.now + delay, domain=domain)
        is_running = any(each.key == new.key for each in self.running)
        known = self.waiting.get(new.key)

        answer = self.queue.offer(new)

        if known is not None:
            new = replace(
                known,
                priority=min(known.priority, priority),
                scheduled_at=min(known.scheduled_at, new.scheduled_at),
            )
        if isinstance(answer, Deferred):
            assert len(self.waiting) == 5 and known is None
        elif not is_running:
            self.waiting[new.key] = new

    @rule()
    def take(self) -> None:
        task = self.queue.take(self.now)
        busy = {domain: sum(each.domain_id == domain for each in self.running) for domain in ("one", "two")}
        due = [
            each
            for each in self.waiting.values()
            if each.scheduled_at <= self.now and busy[each.domain_id] < 2
        ]
        assert (task is None) is (not due)
        if task is not None:
            assert task.scheduled_at + 30 * task.priority == min(
                e.scheduled_at + 30 * e.priority for e in due
            )
            del self.waiting[task.key]
            self.running.append(task)

    @precondition(lambda self: self.running)
    @rule(data=st.data())
    def finish(self, data: st.DataObject) -> None:
        task = data.draw(st.sampled_from(self.running))
        self.running.remove(task)
        self.queue.done(task)

    @precondition(lambda self: self.waiting)
    @rule(data=st.data())
    def withdraw(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.waiting)))
        del self.waiting[key]
        self.queue.withdraw(key)

    @rule(seconds=st.sampled_from([0.5, 30.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @invariant()
    def counts_agree(self) -> None:
        assert len(self.queue) == len(self.waiting)
        assert self.queue.running == len(self.running)
        assert self.queue.size_bytes == sum(each.size_bytes for each in self.waiting.values())


QueueLife.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestQueueLife = QueueLife.TestCase


# -- the task itself ---------------------------------------------------------------------------------------


class TaskLife(RuleBasedStateMachine):
    """A task is tried three times at most and goes only where its state leads."""

    def __init__(self) -> None:
        super().__init__()
        self.task = request("a")
        self.begun = self.held = 0

    def step(self, after: ScrapeRequest) -> None:
        assert after.state in TRANSITIONS[self.task.state]
        self.task = after

    # One rule that always fits: steps chosen by the state would be drawn in vain most of the time.
    @rule(how=st.sampled_from(["succeed", "fail", "hold"]))
    def go_on(self, how: str) -> None:
        match self.task.state:
            case TaskState.PENDING:
                self.begun += 1
                self.step(self.task.begin())
            case TaskState.EXECUTING:
                self.end(how)
            case TaskState.FAILED:
                self.step(self.task.again_or_abandon(0.0, random=Random(1)))
            case TaskState.SUCCESS | TaskState.ABANDONED:
                self.nothing_follows_an_end()

    def end(self, how: str) -> None:
        if how == "hold":
            self.held += 1
            self.step(self.task.hold(1.0))
        else:
            self.step(getattr(self.task, how)())

    def nothing_follows_an_end(self) -> None:
        for step in (self.task.begin, self.task.succeed, self.task.fail):
            with pytest.raises(ForbiddenStep):
                step()

    @invariant()
    def three_tries_at_most(self) -> None:
        assert self.task.attempt_number == self.begun - self.held <= MAX_ATTEMPTS


TaskLife.TestCase.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
TestTaskLife = TaskLife.TestCase


@pytest.mark.parametrize(
    ("before", "after"),
    [(before, after) for before in TaskState for after in TaskState if after not in TRANSITIONS[before]],
)
def test_a_step_that_must_not_happen_is_refused(before: TaskState, after: TaskState) -> None:
    with pytest.raises(ForbiddenStep):
        replace(request("a"), state=before)._become(after)


@pytest.mark.parametrize(("attempts", "least", "most"), [(1, 2.0, 4.0), (2, 4.0, 8.0)])
def test_a_failed_task_waits_longer_each_time_with_full_jitter(
    attempts: int, least: float, most: float
) -> None:
    failed = replace(request("a"), state=TaskState.FAILED, attempt_number=attempts)

    waits = [failed.again_or_abandon(100.0, random=Random(seed)).scheduled_at - 100 for seed in range(40)]

    assert least <= min(waits) < max(waits) <= most


def test_the_third_failure_abandons_it() -> None:
    failed = replace(request("a"), state=TaskState.FAILED, attempt_number=3)

    assert failed.again_or_abandon(0.0, random=Random(1)).state is TaskState.ABANDONED
