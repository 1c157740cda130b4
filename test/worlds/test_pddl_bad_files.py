"""Files of users with mistakes, or with more of PDDL than is simulated: file, line, reason and remedy are named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("unified_planning", reason="PDDL needs unified-planning: pip install 'stma_ros[pddl]'")

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.pddl.loaded_task import load_task
from support.worlds.pddl_tasks import LAMP_DOMAIN, LAMP_PROBLEM, read, write_task

CONDITION = "(and (in ?lamp ?room) (here ?room))"
EFFECT = ":effect (lit ?lamp)"
GOAL = "(and (lit red) (lit blue))"
INIT = "(in red hall)"

# Text that is replaced in the domain, its replacement, the line of the error, and what it says.
UNSUPPORTED = [
    (":typing", ":typing :adl", 3, "the requirement :adl is not supported"),
    (":typing", ":typing\n :conditional-effects", 4, "the requirement :conditional-effects"),
    (":typing", ":typing :durative-actions", 3, "the requirement :durative-actions"),
    (":typing", ":typing :numeric-fluents", 3, "the requirement :numeric-fluents"),
    (":typing", ":typing :derived-predicates", 3, "the requirement :derived-predicates"),
    ("(:action walk", "(:durative-action walk", 10, "the construct :durative-action is not supported"),
    ("(:action walk", "(:derived (switch) (lit red))\n(:action walk", 10, "the construct :derived"),
    ("(:action walk", "(:axiom walk", 10, "the construct :axiom"),
    (CONDITION, "(or (in ?lamp ?room) (here ?room))", 8, "a disjunction (:disjunctive-preconditions)"),
    (CONDITION, "(imply (switch) (here ?room))", 8, "an implication (:disjunctive-preconditions)"),
    (CONDITION, "(exists (?r - room) (here ?r))", 8, "a quantifier (:existential-preconditions"),
    (CONDITION, "(and\n(forall (?r - room) (here ?r)))", 9, "a quantifier (:universal-preconditions"),
    (CONDITION, "(not (and (switch) (here ?room)))", 8, "(not (and ...)) (:disjunctive-preconditions)"),
    (CONDITION, "(> (fuel) 3)", 8, "numbers that change (:numeric-fluents)"),
    (EFFECT, ":effect (when (switch) (lit ?lamp))", 9, "a conditional effect (:conditional-effects)"),
    (EFFECT, ":effect (forall (?l - lamp) (lit ?l))", 9, "a quantifier"),
    (EFFECT, ":effect (and (lit ?lamp) (increase (total-cost) 1))", 9, "numbers that change"),
    (EFFECT, ":effect (assign (fuel) 3)", 9, "numbers that change (:numeric-fluents)"),
    (EFFECT, EFFECT + " :observe (switch)", 9, "the construct :observe"),
    ("(:action light", "(:functions (fuel))\n(:action light", 6, ":functions, numbers that change"),
    ("?to - room", "?to - (either room lamp)", 11, "the construct either"),
]
MALFORMED = [
    ("(:action light", "(:action light)\n(:action light", 7, "the action 'light' is declared twice"),
    (
        "(here ?room - room)",
        "(here ?room - room) (here ?room - room)",
        5,
        "the predicate 'here' is declared twice",
    ),
    ("(switch)", "(not ?x)", 5, "no predicate can be called 'not'"),
    ("(switch)", "(p ?x ?x)", 5, "?x is declared twice"),
    ("(switch)", "switch", 5, "a predicate is expected here"),
    ("(:types lamp room)", "(:types lamp room lamp)", 4, "lamp is declared twice"),
    ("(:types lamp room)", "(:types lamp - room room - lamp)", 4, "the type lamp is a type of itself"),
    ("(:types lamp room)", "(:types lamp - )", 4, "this - needs names before it and a type after it"),
    ("?lamp - lamp)", "?lamp - lamb)", 5, "the type 'lamb' is not declared"),
    (CONDITION, "(and (inn ?lamp ?room))", 8, "the predicate 'inn' is not declared"),
    (CONDITION, "(and (in ?lamp))", 8, "in takes 2 arguments, and has 1 here"),
    (CONDITION, "(and\n(in ?lamp ?room)\n(here ?rom))", 10, "the parameter '?rom' is not declared"),
    (CONDITION, "(and (in ?lamp hall))", 8, "the object 'hall' is not declared"),
    (CONDITION, "(and (in ?room ?lamp))", 8, "the arguments have not the types that are declared for them"),
    (CONDITION, "(and (here room.1))", 8, "the object 'room.1' is not declared"),
    (CONDITION, "(and here)", 8, "a list such as (on b1 b2) is expected here, not 'here'"),
    (CONDITION, "(not)", 8, "(not ...) takes one atom"),
    (CONDITION, "((here ?room))", 8, "an atom is expected here"),
    (EFFECT, ":effect", 9, "the action light needs pairs such as :effect (...)"),
    (EFFECT, ":effect (lit ?lamp) :effect (lit ?lamp)", 9, ":effect is given twice"),
    (EFFECT, ":effect (= ?lamp ?lamp)", 9, "an equality here"),
    (
        "(define (domain lamps)",
        "(define (domain)",
        2,
        "the file has to consist of one (define (domain NAME) ...)",
    ),
    ("(:types lamp room)", "(:goal (switch))", 4, ":goal does not belong into a domain"),
    ("(:types lamp room)", "(:types lamp room) (:types lamp)", 4, ":types is given twice"),
    ("(:types lamp room)", "lamp", 4, "a section such as"),
    ("(:action walk", "(:action (walk)", 10, "a name is expected here, not a list"),
    ("(:action walk", "(:action wälk", 10, "'wälk' is no name"),
    ("(:action walk", ")(:action walk", 10, "the file goes on here after its last bracket was closed"),
    ("(define (domain", ") (define (domain", 2, "this ) closes nothing"),
]
BAD_PROBLEMS = [
    (INIT, "(in red hal)", 5, "the object 'hal' is not declared"),
    (INIT, "(in red ?x)", 5, "the parameter '?x' is not declared"),
    (INIT, "(in hall red)", 5, "the arguments have not the types"),
    (INIT, "(= (fuel) 3)", 5, "numbers that change (:numeric-fluents)"),
    (INIT, "(at 5 (switch))", 5, "a timed initial literal (:timed-initial-literals)"),
    (INIT, "(oneof (switch) (here hall))", 5, "an unknown initial state (:contingent)"),
    (GOAL, "(or (lit red) (lit blue))", 6, "a disjunction (:disjunctive-preconditions)"),
    (GOAL, "(forall (?l - lamp) (lit ?l))", 6, "a quantifier"),
    (GOAL, "(and)", 6, "the goal is empty"),
    (GOAL, "", 2, "the goal is empty"),
    (GOAL, "(= red red)", 6, "an equality here"),
    (GOAL, "(preference p (lit red))", 6, "a preference (:preferences)"),
    ("(:goal", "(:constraints (and))\n(:goal", 6, "the construct :constraints is not supported"),
    ("(:domain lamps)", "", 2, "the problem has no (:domain ...)"),
    (
        "(:domain lamps)",
        "(:domain lights)",
        3,
        "the problem belongs to the domain 'lights', but the domain.pddl",
    ),
    ("hall attic", "hall attic hall", 4, "hall is declared twice"),
    ("- lamp", "- lantern", 4, "the type 'lantern' is not declared"),
    ("two-lamps)", "two-lamps", 2, "this ( is never closed"),
    ("(define", "((define", 2, "this ( is never closed"),
]


def check(domain: str, problem: str, file: str, line: int, reason: str) -> None:
    with pytest.raises(
        ConfigurationError, match=rf"^{file}, line {line}, column \d+: .*{re.escape(reason)}"
    ) as caught:
        read(domain, problem)
    if "not supported" in str(caught.value):
        assert "this world simulates :strips, :typing, :equality, :negative-preconditions" in str(
            caught.value
        )


@pytest.mark.parametrize(("old", "new", "line", "reason"), UNSUPPORTED)
def test_an_unsupported_construct_of_a_domain_is_named_with_its_line(
    old: str, new: str, line: int, reason: str
) -> None:
    assert old in LAMP_DOMAIN
    check(LAMP_DOMAIN.replace(old, new, 1), LAMP_PROBLEM, "d.pddl", line, reason)


@pytest.mark.parametrize(("old", "new", "line", "reason"), MALFORMED)
def test_a_mistake_in_a_domain_is_named_with_its_line(old: str, new: str, line: int, reason: str) -> None:
    assert old in LAMP_DOMAIN
    check(LAMP_DOMAIN.replace(old, new, 1), LAMP_PROBLEM, "d.pddl", line, reason)


@pytest.mark.parametrize(("old", "new", "line", "reason"), BAD_PROBLEMS)
def test_a_mistake_in_a_problem_is_named_with_its_line(old: str, new: str, line: int, reason: str) -> None:
    assert old in LAMP_PROBLEM
    check(LAMP_DOMAIN, LAMP_PROBLEM.replace(old, new, 1), "p.pddl", line, reason)


def test_a_constant_of_another_type_in_the_problem_is_refused() -> None:
    domain = LAMP_DOMAIN.replace("(:predicates", "(:constants red - room)\n(:predicates")
    check(domain, LAMP_PROBLEM, "p.pddl", 4, "red is a lamp here, and the constant of the domain a room")


@pytest.mark.parametrize("text", ["", "; nothing\n", "lamps", LAMP_PROBLEM, "(" * 5000, "()", "(define)"])
def test_a_file_that_is_no_domain_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^d\.pddl, line [12], column \d+: "):
        read(text)


def test_a_missing_problem_is_named_with_the_remedy(tmp_path: Path) -> None:
    missing = str(tmp_path / "p.pddl")
    with pytest.raises(
        ConfigurationError, match=r"there is no file .*p\.pddl: give the path of a problem's file"
    ):
        load_task(missing, 0)


def test_a_missing_domain_is_named_with_the_remedy(tmp_path: Path) -> None:
    scene = write_task(tmp_path)
    (tmp_path / "domain.pddl").unlink()
    with pytest.raises(
        ConfigurationError, match=r"there is no domain\.pddl for .*: put the file of its domain"
    ):
        load_task(scene, 0)


@pytest.mark.parametrize("scene", ["a" * 5000 + ".pddl", "a\0.pddl", "/proc/self/mem.pddl/x.pddl"])
def test_a_path_that_cannot_be_opened_is_refused(scene: str) -> None:
    with pytest.raises(ConfigurationError, match=r"cannot be read|there is no file"):
        load_task(scene, 0)


def test_a_problem_that_is_no_text_is_refused(tmp_path: Path) -> None:
    scene = write_task(tmp_path)
    Path(scene).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match=r"problem\.pddl cannot be read: it is no text in UTF-8"):
        load_task(scene, 0)


def test_an_unknown_scene_is_refused_with_the_list_of_scenes() -> None:
    with pytest.raises(
        ConfigurationError,
        match=r"no scene 'kitchen'; its scenes are blocksworld, gripper, .*, vault, and files of problems",
    ):
        load_task("kitchen", 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("predicate: {}", r"there is no section 'predicate'\. Did you mean 'predicates'\?"),
        ("predicates: lit", "predicates: entries such as `name: ...` are expected"),
        ("- lit", "entries such as `name: ...` are expected"),
        ("predicates: {lit: ", "is not valid YAML"),
        ("predicates: {lit: [a]}", r"predicates\.lit: a text is expected"),
        ("predicates: {lit: }", r"predicates\.lit: the wording '' does not fit"),
        (
            "predicates: {list: a}",
            r"predicates\.list: the domain has no predicate 'list'\. Did you mean 'lit'\?",
        ),
        ("commands: {lit: a}", r"commands\.lit: the domain has no action 'lit'\. Did you mean 'light'\?"),
        (
            'negations: {lit: "{lamb} is dark"}',
            r"negations\.lit: the wording '\{lamb\} is dark' does not fit",
        ),
        ('commands: {walk: "go to {to}"}', r"commands\.walk: the wording 'go to \{to\}' does not fit"),
        ('commands: {walk: "go. {from} {to}"}', r"commands\.walk: the wording .* does not fit"),
        ('commands: {walk: "go {from}; {to}"}', r"commands\.walk: a template contains none of"),
        ('predicates: {lit: "{lamp} (on)"}', r"predicates\.lit: a template contains none of"),
        ('predicates: {switch: "on", switch: "off"}', "the entry switch is given twice"),
        (
            'predicates: {lit: "{lamp} shines"}\nnegations: {lit: "{lamp} shines"}',
            r"can be read as predicates\.lit \(\{lamp\} shines\) and negations\.lit \(\{lamp\} shines\): reword one",
        ),
        (
            'commands: {walk: "go {from} {to}", light: "{lamp} is {room}"}\npredicates: {switch: "look around"}',
            "",
        ),
        ('commands: {light: "do {lamp} {room}", walk: "look around {from} {to}"}', ""),
    ],
)
def test_a_mistake_in_a_wording_is_named_with_file_and_entry(tmp_path: Path, text: str, reason: str) -> None:
    scene = write_task(tmp_path, wording=text)
    if not reason:
        load_task(scene, 0)
        return
    with pytest.raises(ConfigurationError, match=rf"wording\.yaml.*{reason}"):
        load_task(scene, 0)


def test_a_given_command_that_reads_like_a_fixed_one_is_refused(tmp_path: Path) -> None:
    domain = LAMP_DOMAIN.rstrip()[:-1] + "(:action wait))"
    scene = write_task(tmp_path, domain, wording="commands: {wait: look around}")
    with pytest.raises(
        ConfigurationError, match=r"can be read as .*commands\.wait \(look around\).*: reword one"
    ):
        load_task(scene, 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("inn: [switch]", r"inn: the domain has no such predicate\. Did you mean 'in'\?"),
        ("in: switch", r"in: a list of conditions is expected, such as \[open \?container\]"),
        ("in: [{a: b}]", "in: a list of conditions is expected"),
        ("in: [lid ?lamp]", r"in: the condition 'lid \?lamp' does not begin with a predicate of the domain"),
        ("in: [not]", "in: the condition 'not' does not begin with a predicate"),
        ("in: ['']", "in: the condition '' does not begin with a predicate"),
        ("in: [here ?room ?lamp]", r"in: the condition 'here \?room \?lamp' has 2 arguments; here takes 1"),
        (
            "in: [here cellar]",
            "in: the condition 'here cellar' names 'cellar', which is no object of the problem",
        ),
        ("in: [switch", "is not valid YAML"),
        ("[switch]", "entries such as `name: ...` are expected"),
        ("in: [switch]\nin: [switch]", "the entry in is given twice"),
    ],
)
def test_a_mistake_in_the_senses_is_named_with_file_and_entry(tmp_path: Path, text: str, reason: str) -> None:
    scene = write_task(tmp_path, senses=text)
    with pytest.raises(ConfigurationError, match=rf"senses\.yaml.*{reason}"):
        load_task(scene, 0)
