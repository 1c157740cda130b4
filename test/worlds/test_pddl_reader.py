"""Domains and problems in PDDL are read as unified-planning reads them, whatever names they use."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("unified_planning", reason="PDDL needs unified-planning: pip install 'stma_ros[pddl]'")

from stma_ros.types.action_model import ActionModel, Literal
from stma_ros.types.sentences import Sentences
from stma_ros.worlds.pddl.conditions import State
from stma_ros.worlds.pddl.loaded_task import load_task
from stma_ros.worlds.pddl.problem_files import task_files
from stma_ros.worlds.pddl.problems.registry import GENERATORS
from stma_ros.worlds.pddl.reader import Atom
from stma_ros.worlds.pddl.simulator import Simulator
from stma_ros.worlds.pddl.wording import FIXED_COMMANDS, Wording, worded
from support.worlds.pddl_tasks import LAMP_DOMAIN, LAMP_PROBLEM, read, write_task

BLOCKS_SEED = 1003


def names(items: Any) -> list[tuple[str, str]]:
    return [(item.name, item.type) for item in items]


def literal(text: str) -> Literal:
    """Returns the literal of "on a b" or "not on a b"."""
    words = text.split()
    negated = words[0] == "not"
    predicate, *arguments = words[negated:]
    return Literal(predicate=predicate, arguments=tuple(arguments), negated=negated)


def literals(*texts: str) -> tuple[Literal, ...]:
    return tuple(map(literal, texts))


def test_an_untyped_domain_is_read_completely() -> None:
    task = load_task("blocksworld", BLOCKS_SEED).planning
    stack = next(action for action in task.model.actions if action.name == "stack")

    assert task.model.name == "blocksworld"
    assert task.model.types == ()
    assert {kind for _, kind in names(task.model.objects)} == {""}
    assert names(stack.parameters) == [("?block", ""), ("?below", "")]
    assert stack.preconditions == literals("holding ?block", "clear ?below")
    assert stack.effects == literals(
        "on ?block ?below", "clear ?block", "handempty", "not holding ?block", "not clear ?below"
    )
    assert stack.command == "stack {block} on {below}"
    assert ("handempty",) in task.atoms


def test_a_typed_domain_is_read_with_its_types_and_constants() -> None:
    model = load_task("tyreworld", 1001).planning.model
    assert names(model.types)[-3:] == [("tool", "portable"), ("wheel", "portable"), ("nut", "portable")]
    assert names(model.objects)[:3] == [("wrench", "tool"), ("jack", "tool"), ("pump", "tool")]
    loosen = next(action for action in model.actions if action.name == "loosen")
    assert loosen.preconditions[0] == literal("have wrench")


def test_constants_may_be_declared_as_objects_again() -> None:
    domain = LAMP_DOMAIN.replace("(:predicates", "(:constants red blue - lamp hall - room) (:predicates")
    task = read(domain, LAMP_PROBLEM)
    assert names(task.model.objects) == [
        ("red", "lamp"),
        ("blue", "lamp"),
        ("hall", "room"),
        ("attic", "room"),
    ]
    assert task.atoms == read().atoms


def test_equality_and_negative_preconditions_are_read() -> None:
    domain = LAMP_DOMAIN.replace(
        ":precondition (here ?from)", ":precondition (and (here ?from) (not (= ?from ?to)) (not (here ?to)))"
    ).replace(":typing", ":typing :equality :negative-preconditions")
    task = read(domain, LAMP_PROBLEM.replace("(lit blue)", "(not (here hall))"))
    walk = task.model.actions[1]
    assert walk.preconditions == literals("here ?from", "not = ?from ?to", "not here ?to")
    assert task.goal == literals("lit red", "not here hall")
    state = State(task.atoms)
    assert Simulator(task.model).successor(walk, ("hall", "hall"), state) is None
    assert Simulator(task.model).successor(walk, ("hall", "attic"), state) is not None


def test_an_action_and_a_predicate_may_have_the_same_name() -> None:
    task = read(LAMP_DOMAIN.replace("(:action light", "(:action lit"))
    assert [action.name for action in task.model.actions] == ["lit", "walk"]
    assert task.goal == literals("lit red", "lit blue")


def test_costs_of_actions_are_ignored() -> None:
    domain = (
        LAMP_DOMAIN.replace(":typing", ":typing :action-costs")
        .replace("(:action light", "(:functions (total-cost) (way ?a ?b - room) - number)\n(:action light", 1)
        .replace(":effect (and (here ?to)", ":effect (and (increase (total-cost) (way ?from ?to)) (here ?to)")
    )
    problem = LAMP_PROBLEM.replace("(here hall)", "(here hall) (= (total-cost) 0) (= (way hall attic) 3.5)")
    problem = problem.replace("(:goal", "(:metric minimize (total-cost)) (:goal")
    assert read(domain, problem) == read()


def test_capitals_comments_and_the_order_of_sections_do_not_matter() -> None:
    problem = """; two lamps (and a bracket
    (DEFINE (Problem two-LAMPS) (:Goal (AND (lit RED) (lit blue))) ; )
      (:INIT (in red hall)(in blue attic)(here hall)) (:objects Red blue - lamp hall attic - ROOM) (:domain Lamps))"""
    assert read(problem=problem) == read()


def test_parts_of_an_action_may_be_missing() -> None:
    domain = LAMP_DOMAIN.rstrip()[:-1] + "(:action wait) (:action shout :precondition () :effect (switch)))"
    wait, shout = read(domain).model.actions[2:]
    assert (wait.parameters, wait.preconditions, wait.effects) == ((), (), ())
    assert (shout.parameters, shout.effects) == ((), literals("switch"))


@pytest.mark.parametrize(
    "name", ["lit", "in", "here", "and", "not", "object", "define", "3", "2nd", "_x", "lamp"]
)
def test_an_object_may_be_called_like_a_predicate_a_keyword_or_a_number(name: str) -> None:
    task = read(problem=LAMP_PROBLEM.replace("red", name))
    assert ("in", name, "hall") in task.atoms
    assert task.goal == literals(f"lit {name}", "lit blue")


@pytest.mark.parametrize("name", ["always", "unknown", "oneof", "at", "domain", "object", "3d"])
def test_a_predicate_may_be_called_like_a_word_of_richer_dialects(name: str) -> None:
    task = read(LAMP_DOMAIN.replace("lit", name), LAMP_PROBLEM.replace("lit", name))
    assert task.goal == literals(f"{name} red", f"{name} blue")
    assert task.model.actions[0].effects == literals(f"{name} ?lamp")


def test_reading_prints_nothing_and_leaves_the_environment_of_unified_planning_unchanged(
    capfd: pytest.CaptureFixture[str],
) -> None:
    from unified_planning.environment import get_environment

    before = get_environment().error_used_name
    read(LAMP_DOMAIN.replace("lamps", "lamps2"), LAMP_PROBLEM.replace("(:domain lamps)", "(:domain lamps2)"))
    assert capfd.readouterr() == ("", "")
    assert get_environment().error_used_name == before


def atoms_of(state: Any, fluents: Any) -> set[Atom]:
    values = ((fluent, state.get_value(fluent)) for fluent in fluents)
    return {
        (fluent.fluent().name, *(str(argument) for argument in fluent.args))
        for fluent, value in values
        if value.is_true()
    }


@pytest.mark.filterwarnings("ignore:Name .* already defined")
@pytest.mark.parametrize("domain", GENERATORS)
def test_successors_are_those_of_the_simulator_of_unified_planning(
    domain: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unified_planning.engines.sequential_simulator import UPSequentialSimulator
    from unified_planning.environment import get_environment
    from unified_planning.io import PDDLReader

    # Its simulator works in its global environment only.
    monkeypatch.setattr(get_environment(), "_error_used_name", False)
    files = task_files(domain, 1000)
    problem = PDDLReader().parse_problem_string(files.domain.text, files.problem.text)
    reference = UPSequentialSimulator(problem)
    reference_state = reference.get_initial_state()
    task = load_task(domain, 1000).planning
    simulator, state = Simulator(task.model), State(task.atoms)
    rng = random.Random(domain)
    for _ in range(25):
        found = {(action.name, *arguments): action for action, arguments in simulator.valid_actions(state)}
        expected = (
            (action.name, *map(str, arguments))
            for action, arguments in reference.get_applicable_actions(reference_state)
        )
        assert sorted(found) == sorted(expected)
        if not found:
            break
        name, *arguments = rng.choice(sorted(found))
        state = simulator.successor(found[(name, *arguments)], arguments, state) or state
        reference_state = reference.apply(
            reference_state, problem.action(name), [problem.object(item) for item in arguments]
        )
        assert state.atoms == atoms_of(reference_state, problem.initial_values)


def test_fact_that_an_action_deletes_and_adds_is_true_after_it() -> None:
    task = read()
    walk = task.model.actions[1]
    after = Simulator(task.model).successor(walk, ("hall", "hall"), State(task.atoms))
    assert after is not None
    assert after.atoms == task.atoms


HOSTILE = [
    ("red", "blue", "hall", "attic"),
    ("is", "not", "in", "lit"),
    ("not", "is", "here", "in"),
    ("light", "walk", "look", "around"),
    ("lit", "in", "is", "not"),
    ("in", "is", "lit", "not"),
]
UNTYPED = """
(define (domain untyped)
  (:predicates (is ?x ?y) (in ?x ?y) (lit ?x) (held ?x) (same ?x ?y ?z) (done))
  (:action look :parameters (?x) :precondition (lit ?x) :effect (held ?x))
  (:action walk :parameters (?x ?y) :effect (is ?x ?y))
  (:action light :parameters (?x ?y) :effect (in ?x ?y)))
"""


def check_readable(model: ActionModel) -> None:
    """Checks of every sentence and command of a model that it is read as what it was written for."""
    sentences = Sentences(model)
    for predicate in model.predicates:
        for arguments in product(*(sentences.objects.members(item.type) for item in predicate.parameters)):
            for negated in (False, True):
                written = Literal(predicate=predicate.name, arguments=arguments, negated=negated)
                assert sentences.read_sentence(sentences.sentence(written)) == written
    for action in model.actions:
        for arguments in product(*(sentences.objects.members(item.type) for item in action.parameters)):
            command = sentences.command(action.name, arguments)
            assert command not in FIXED_COMMANDS
            assert sentences.read_command(command) == (action, arguments)


@pytest.mark.parametrize("objects", HOSTILE, ids=" ".join)
@pytest.mark.parametrize("typed", [True, False])
def test_written_sentences_can_be_read_back_whatever_objects_are_called(
    objects: tuple[str, ...], typed: bool
) -> None:
    problem = "(define (problem p) (:domain {}) (:objects {}) (:init) (:goal (lit {})))"
    one, other, third, fourth = objects
    task = (
        read(problem=problem.format("lamps", f"{one} {other} - lamp {third} {fourth} - room", one))
        if typed
        else read(UNTYPED, problem.format("untyped", " ".join(objects), one))
    )
    check_readable(worded(task.model, Wording()))


@pytest.mark.parametrize("domain", GENERATORS)
def test_the_words_of_our_domains_can_be_read_back(domain: str) -> None:
    check_readable(load_task(domain, 1002).planning.model)


def test_only_templates_that_could_be_mistaken_get_a_notation_of_their_own() -> None:
    problem = "(define (problem p) (:domain untyped) (:objects lit around) (:init) (:goal (done)))"
    model = worded(read(UNTYPED, problem).model, Wording())
    assert {item.name: item.sentence for item in model.predicates} == {
        "is": "is ( {x} , {y} )",
        "in": "{x} in {y}",
        "lit": "lit ( {x} )",
        "held": "{x} is held",
        "same": "{x} same {y} {z}",
        "done": "done",
    }
    assert [item.command for item in model.actions] == ["look ( {x} )", "walk {x} {y}", "light {x} {y}"]


def test_the_domain_of_a_problem_may_be_in_a_folder_above(tmp_path: Path) -> None:
    write_task(tmp_path)
    (tmp_path / "easy" / "few").mkdir(parents=True)
    path = tmp_path / "easy" / "few" / "p01.pddl"
    path.write_text("﻿" + LAMP_PROBLEM, encoding="utf-8")
    assert task_files(str(path), 0).domain.text == LAMP_DOMAIN
    assert load_task(str(path), 0).planning.goal == literals("lit red", "lit blue")
    (tmp_path / "easy" / "domain.pddl").write_text(LAMP_DOMAIN.replace("attic", "cellar"))
    assert task_files(str(path), 0).domain.file == str(tmp_path / "easy" / "domain.pddl")
