"""Generated problems can be solved within thirty steps, and most of them need twenty."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from statistics import mean

import pytest

pytest.importorskip("unified_planning", reason="PDDL needs unified-planning: pip install 'stma_ros[pddl]'")

from stma_ros.domains.pddl.ground_task import ground
from stma_ros.domains.pddl.search import Plan, find_plan
from stma_ros.domains.pddl.state_space import Condition, StateSpace
from stma_ros.types.action_model import ActionModel
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.pddl.conditions import State
from stma_ros.worlds.pddl.loaded_task import load_task
from stma_ros.worlds.pddl.problem_files import task_files
from stma_ros.worlds.pddl.problems.problem import MOST_STEPS, Problem, problem_text
from stma_ros.worlds.pddl.problems.registry import GENERATORS
from stma_ros.worlds.pddl.simulator import Simulator
from support.python_process import run_python

ROOT = Path(__file__).parents[2]
LONG = 20  # steps
SHARES = {
    "blocksworld": 10,
    "gripper": 20,
    "tyreworld": 10,
    "barman": 20,
}  # problems in a set of the benchmark
SEEDS = range(1000, 1300)


def executed(model: ActionModel, state: State, problem: Problem) -> State:
    """Returns the state after the plan of a problem, of which each step must change something."""
    simulator = Simulator(model)
    actions = {action.name: action for action in model.actions}
    for name, *arguments in problem.plan:
        after = simulator.successor(actions[name], arguments, state)
        assert after is not None, f"{name} {arguments} cannot be done"
        assert after.atoms != state.atoms, f"{name} {arguments} changes nothing"
        state = after
    return state


@pytest.fixture(scope="module")
def models() -> Mapping[str, ActionModel]:
    return {domain: load_task(domain, 1000).planning.model for domain in GENERATORS}


@pytest.mark.parametrize("domain", GENERATORS)
def test_every_plan_of_a_generator_reaches_its_goal_within_thirty_steps(
    domain: str, models: Mapping[str, ActionModel]
) -> None:
    for seed in SEEDS:
        problem = GENERATORS[domain](seed)
        after = executed(models[domain], State(frozenset(problem.atoms)), problem)
        assert set(problem.goal) <= after.atoms
        assert not set(problem.goal) <= set(problem.atoms)
        assert len(problem.plan) <= MOST_STEPS


@pytest.mark.parametrize("domain", GENERATORS)
def test_the_file_of_a_generated_problem_is_read_as_what_was_generated(domain: str) -> None:
    for seed in range(1000, 1004):
        problem = GENERATORS[domain](seed)
        task = load_task(domain, seed).planning
        assert task.atoms == frozenset(problem.atoms)
        assert {(item.predicate, *item.arguments) for item in task.goal} == set(problem.goal)
        constants = len(task.model.objects) - len(problem.objects)
        assert [(item.name, item.type) for item in task.model.objects][constants:] == list(problem.objects)


def shortest_found(domain: str, seed: int) -> int:
    """Returns the length of the shorter of two plans: the one that comes with a problem, and what a search finds."""
    task = load_task(domain, seed).planning
    goal = Condition(frozenset((item.predicate, *item.arguments) for item in task.goal))
    found = find_plan(StateSpace(ground(task.model, task.atoms), task.atoms), task.atoms, goal, 1000)
    lengths = [len(GENERATORS[domain](seed).plan)]
    if isinstance(found, Plan):
        lengths.append(len(found.operators))
    return min(lengths)


def test_half_of_the_problems_of_a_set_need_twenty_steps_at_least() -> None:
    lengths = [
        shortest_found(domain, 1000 + k) for domain, share in SHARES.items() for k in range(share // 2)
    ]
    long = sum(length >= LONG for length in lengths)
    assert long >= len(lengths) / 2
    assert min(lengths) < LONG < max(lengths) <= MOST_STEPS
    assert 19 < mean(lengths) < 25


def test_sets_of_other_seeds_are_long_by_their_plans_too() -> None:
    for first in range(2000, 4000, 20):
        plans = [
            len(GENERATORS[domain](first + k).plan) for domain, share in SHARES.items() for k in range(share)
        ]
        assert sum(length >= LONG for length in plans) >= 0.6 * len(plans)


def sizes(domain: str, kind: str) -> set[int]:
    """Returns the numbers of objects of a type that problems have."""
    return {sum(other == kind for _, other in GENERATORS[domain](seed).objects) for seed in SEEDS}


def test_generated_problems_are_of_varied_size() -> None:
    assert {6, 7, 9, 11, 12} == {len(GENERATORS["blocksworld"](seed).objects) for seed in SEEDS}
    balls = {
        sum(name.startswith("ball") for name, _ in GENERATORS["gripper"](seed).objects) for seed in SEEDS
    }
    rooms = {
        sum(name.startswith("room") for name, _ in GENERATORS["gripper"](seed).objects) for seed in SEEDS
    }
    assert (balls, rooms) == ({4, 6, 8, 9, 10}, {2, 3, 4})
    assert sizes("tyreworld", "hub") == {1, 2}
    assert sizes("barman", "shot") == {2, 3, 4, 5}
    assert sizes("barman", "cocktail") == {3, 4, 5}
    assert sizes("barman", "ingredient") == {3, 4}
    assert {len(GENERATORS["barman"](seed).goal) for seed in SEEDS} == {1, 2, 3}


def test_the_goals_of_tyreworld_vary() -> None:
    goals = [
        {
            ("in", "w", "boot") if atom[1] in ("w1", "w2") else atom[:1]
            for atom in GENERATORS["tyreworld"](seed).goal
        }
        for seed in SEEDS
    ]
    for kind in (("inflated",), ("tight",), ("closed",), ("in", "w", "boot")):
        assert 0.3 < mean(kind in goal for goal in goals) < 0.98
    outside = [any(atom[0] == "have" for atom in GENERATORS["tyreworld"](seed).atoms) for seed in SEEDS]
    assert 0.1 < mean(outside) < 0.8


def digest() -> str:
    """Returns a digest of problems, their plans and first observations."""
    texts = []
    for domain, generate in GENERATORS.items():
        problem = generate(1007)
        texts += [problem_text(problem), repr(problem.plan), load_task(domain, 1007).objective]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def test_problems_depend_on_nothing_but_the_seed() -> None:
    assert GENERATORS["barman"](1) != GENERATORS["barman"](2)
    program = (
        "import importlib.util as u, sys; sys.path[:0] = ['test'];"
        f"s = u.spec_from_file_location('problems', {str(Path(__file__))!r}); m = u.module_from_spec(s);"
        "s.loader.exec_module(m); print(m.digest())"
    )
    ran = run_python("-c", program, folder=ROOT, PYTHONHASHSEED="1")
    assert ran.stdout.strip() == digest(), ran.stderr


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="must not be negative, got -1"):
        task_files("barman", -1)
