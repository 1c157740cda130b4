"""Tests of the next command: situations in small homes, and whole activities in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.programs.next_action import next_action
from stma_ros.domains.programs.thinker import ProgramsThinker
from stma_ros.evaluation.programs.conditions import Goal, Scope, goal_of
from stma_ros.evaluation.programs.identification import identified, lasting_rooms
from stma_ros.evaluation.programs.matching import best_assignment
from stma_ros.evaluation.programs.sentences import goal_sentences
from stma_ros.roles.thinker import ThinkQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode, TaskNotUnderstoodError
from stma_ros.types.experience import RuleOfThumb
from stma_ros.types.planning import Action
from stma_ros.worlds.programs.episode import Episode
from stma_ros.worlds.programs.home_graph import HomeGraph, Node
from stma_ros.worlds.programs.moved_things import with_things_moved
from support import homes_of_twins, people_programs
from support.people_programs import CHAIR, FRIDGE, PLATE, SHIRT, STUDY, TABLE, home_graph
from support.programs_player import FINISH, GIVE_UP, Player

_KITCHEN = ("walk to kitchen_1",)
_BREAD = ("walk to bread_1", "grab bread_1")
_CUP = (*_KITCHEN, "walk to cup_1", "grab cup_1")
_FULL_HANDS = (*_KITCHEN, *_BREAD, *_CUP[1:])
_PLUGGED = ("walk to table_lamp_1", "plug in table_lamp_1")
_SHIRT = ("walk to clothes_shirt_1", "grab clothes_shirt_1")
_WORN = (*_SHIRT, "wear clothes_shirt_1")
_OPEN = (*_KITCHEN, "walk to fridge_1", "open fridge_1")
_MILK = (*_OPEN, "grab milk_1")
_BREAD_TO_THE_OFFICE = "you hold the bread; the bread is in the home_office"
_ON_THE_CHAIR = "you are sitting; you are on the chair"
_POURED = (*_MILK, "walk to cup_1", "pour milk_1 into cup_1")


def _command(task: str, *before: str, graph: HomeGraph | None = None) -> str:
    return Player(graph or home_graph(), task).do(*before).command()


@pytest.mark.parametrize(
    ("task", "before", "command"),
    [
        # what is missing is looked for
        ("you hold the milk", (), "walk to kitchen_1"),
        ("you hold the milk", _KITCHEN, "walk to fridge_1"),
        ("you hold the milk", (*_KITCHEN, "walk to fridge_1"), "open fridge_1"),
        ("you hold the milk", _OPEN, "grab milk_1"),
        ("you hold the milk", _MILK, "finish()"),
        # containers
        ("the bread is in the fridge", (*_KITCHEN, *_BREAD), "walk to fridge_1"),
        ("the bread is in the fridge", (*_FULL_HANDS, "walk to fridge_1"), "drop cup_1"),
        ("the bread is in the fridge", (*_FULL_HANDS, "walk to fridge_1", "drop cup_1"), "open fridge_1"),
        ("the bread is in the fridge; the fridge is closed", (*_OPEN, *_BREAD), "walk to fridge_1"),
        ("the fridge is closed", _OPEN, "close fridge_1"),
        # plugs and switches
        ("the table_lamp is switched on", (), "walk to table_lamp_1"),
        ("the table_lamp is switched on", ("walk to table_lamp_1",), "plug in table_lamp_1"),
        ("the table_lamp is switched on", _PLUGGED, "switch on table_lamp_1"),
        ("the table_lamp is not switched off", _PLUGGED, "switch on table_lamp_1"),
        # hands
        ("the milk is on the table", (*_OPEN, *_FULL_HANDS[1:], "walk to fridge_1"), "drop bread_1"),
        ("you hold the milk; you hold the bread", (*_OPEN, *_FULL_HANDS[1:], "walk to fridge_1"), "drop cup_1"),
        # held things go along, so their rooms come last
        (f"{_BREAD_TO_THE_OFFICE}; the plate is not on the table", _KITCHEN, "walk to plate_1"),
        (_BREAD_TO_THE_OFFICE, (*_KITCHEN, *_BREAD), "walk to home_office_1"),
        ("you do not hold the cup", _CUP, "drop cup_1"),
        # worn things
        ("the clothes_shirt is on you", (), "walk to clothes_shirt_1"),
        ("the clothes_shirt is on you", _SHIRT, "wear clothes_shirt_1"),
        ("the clothes_shirt is not on you", _WORN, "take off clothes_shirt_1"),
        ("you are in the kitchen; the clothes_shirt is on you", (), "walk to clothes_shirt_1"),
        ("the clothes_shirt is on you; the clothes_shirt is in the kitchen", _WORN, "walk to kitchen_1"),
        ("the clothes_shirt is on you; the clothes_shirt is in the kitchen", (*_WORN, *_KITCHEN), "finish()"),
        ("the clothes_shirt is in the kitchen", _WORN, "walk to kitchen_1"),
        # pouring
        ("the milk is in the cup", _MILK, "walk to cup_1"),
        ("the milk is in the cup", _POURED[:-1], "pour milk_1 into cup_1"),
        ("the milk is in the cup", _POURED, "finish()"),
        ("the milk is in the cup; you are in the home_office", _POURED, "drop milk_1"),
        ("the milk is in the cup; you hold the cup", _POURED[:-1], "grab cup_1"),
        # rooms
        ("the cup is in the home_office", _CUP, "walk to home_office_1"),
        ("the cup is in the home_office", (*_CUP, "walk to home_office_1"), "drop cup_1"),
        ("the cup is not in the kitchen", _CUP, "walk to home_office_1"),
        ("the cup is not in the kitchen", (*_CUP, "walk to home_office_1"), "drop cup_1"),
        ("you are in the kitchen", (), "walk to kitchen_1"),
        ("you are not in the home_office", (), "walk to kitchen_1"),
        ("the cup is clean", (*_KITCHEN, "walk to home_office_1"), "walk to kitchen_1"),
        # oneself comes last
        (f"{_ON_THE_CHAIR}; the table_lamp is switched on", ("walk to chair_1",), "walk to table_lamp_1"),
        (f"{_ON_THE_CHAIR}; you are in the home_office", _KITCHEN, "walk to home_office_1"),
        (_ON_THE_CHAIR, ("walk to chair_1",), "sit on chair_1"),
        ("you are sitting", ("walk to chair_1",), "sit on chair_1"),
        ("you are not sitting", ("walk to chair_1", "sit on chair_1"), "stand up"),
        ("you are in the kitchen", ("walk to chair_1", "sit on chair_1"), "stand up"),
    ],
)  # fmt: skip
def test_next_command(task: str, before: tuple[str, ...], command: str) -> None:
    assert _command(task, *before) == command


def test_appliance_that_is_on_is_switched_off_before_it_is_opened() -> None:
    graph = home_graph()
    fridge = graph.nodes[FRIDGE]
    nodes = [
        *(node for node in graph.nodes.values() if node.id != FRIDGE),
        type(fridge)(FRIDGE, fridge.name, fridge.category, fridge.properties | {"HAS_SWITCH"}),
    ]
    graph = HomeGraph(
        nodes, {id: graph.states(id) for id in graph.nodes} | {FRIDGE: {"CLOSED", "ON"}}, graph.facts()
    )
    player = Player(graph, "the fridge is switched on; you hold the milk")
    assert player.play().actions == (FINISH,)
    assert player.commands == [
        "walk to kitchen_1",
        "walk to fridge_1",
        "switch off fridge_1",
        "open fridge_1",
        "switch on fridge_1",
        "grab milk_1",
    ]


def test_seat_in_another_room_is_left_for_one_in_the_room_that_is_asked_for() -> None:
    graph = home_graph()
    chair = graph.nodes[CHAIR]
    states = {id: graph.states(id) for id in graph.nodes}
    other = type(chair)(99, chair.name, chair.category, chair.properties)
    graph = HomeGraph(
        [*graph.nodes.values(), other], states, [*graph.facts(), (99, "INSIDE", people_programs.KITCHEN)]
    )
    player = Player(graph, "you are in the kitchen; you are on the chair")
    assert player.play().actions == (FINISH,)
    assert player.commands == ["walk to kitchen_1", "walk to chair_2", "sit on chair_2"]


def test_place_is_brought_to_the_room_of_a_thing_before_the_thing_is_put_there() -> None:
    graph = _with(home_graph(), 99, "box", (99, "INSIDE", STUDY))
    player = Player(graph, "the bread is in the kitchen; the bread is on the box")
    assert player.play().actions == (FINISH,)
    assert player.commands.index("drop box_1") < player.commands.index("put bread_1 on box_1")


def test_thing_on_which_another_shall_be_is_brought_first() -> None:
    task = "the bread is on the plate; the plate is in the home_office; the bread is in the home_office"
    player = Player(home_graph(), task)
    assert player.play().actions == (FINISH,)
    assert player.commands == [
        *_KITCHEN,
        "walk to plate_1",
        "grab plate_1",
        "walk to home_office_1",
        "drop plate_1",
        *_KITCHEN,
        *_BREAD,
        "walk to home_office_1",
        "walk to plate_1",
        "put bread_1 on plate_1",
    ]


def test_one_stands_up_from_a_seat_and_goes_elsewhere_where_no_posture_is_asked_for() -> None:
    player = Player(home_graph(), "you are on the chair; you are in the kitchen")
    assert player.play().actions == (FINISH,)
    assert player.commands[-3:] == ["sit on chair_1", "stand up", "walk to kitchen_1"]
    seated = Player(home_graph(), "you are sitting; you are on the chair; you are in the kitchen").play()
    assert (seated.actions, seated.failure) == ((GIVE_UP,), ErrorCode.IMPOSSIBLE)


def test_one_sits_down_before_a_held_thing_is_brought_to_its_room() -> None:
    task = "you hold the cup; the cup is in the kitchen; you are in the kitchen; you are on the chair"
    player = Player(home_graph(), task)
    assert player.play().actions == (FINISH,)
    assert player.commands[-3:] == ["sit on chair_1", "stand up", "walk to kitchen_1"]


def test_seat_is_cleared_before_both_hands_are_full() -> None:
    graph = home_graph()
    graph.add(SHIRT, "ON", CHAIR)
    player = Player(graph, "you hold the cup; you hold the bread; you are on the chair")
    assert player.play().actions == (FINISH,)
    assert player.commands.index("sit on chair_1") < player.commands.index("grab cup_1")


def test_place_in_another_room_is_not_used_for_a_thing_that_shall_be_in_this_room() -> None:
    graph = _with(home_graph(), 99, "plate", (99, "INSIDE", FRIDGE))
    graph.remove(PLATE, "INSIDE", people_programs.KITCHEN)
    graph.add(PLATE, "INSIDE", STUDY)
    graph.remove(PLATE, "ON", TABLE)
    player = Player(graph, "the cup is in the kitchen; the cup is on the plate")
    assert player.play().actions == (FINISH,)


def test_another_seat_is_tried_where_one_cannot_sit_on_the_first() -> None:
    graph = home_graph()
    stool = Node(99, "chair", "Furniture", frozenset())
    states = {id: graph.states(id) for id in graph.nodes}
    facts = [*graph.facts(), (99, "INSIDE", STUDY)]
    for seed in range(4):  # which draws the one that is seen first
        player = Player(
            HomeGraph([*graph.nodes.values(), stool], states, facts), "you are on the chair", seed
        )
        assert player.play().actions == (FINISH,)


def test_one_lies_down_on_what_nobody_can_sit_on_unless_sitting_is_asked_for() -> None:
    graph = home_graph()
    chair = graph.nodes[CHAIR]
    bed = Node(CHAIR, "bed", chair.category, frozenset({"LIEABLE"}))
    nodes = [bed if node is chair else node for node in graph.nodes.values()]
    graph = HomeGraph(nodes, {id: graph.states(id) for id in graph.nodes}, graph.facts())
    player = Player(graph, "you are on the bed")
    assert player.play().actions == (FINISH,)
    assert player.commands == ["walk to bed_1", "lie on bed_1"]
    assert Player(graph, "you are sitting; you are on the bed").play().actions == (GIVE_UP,)


@pytest.mark.parametrize(
    "wishes",
    [
        "the first cup is on the table; the second cup is in the cupboard",
        "the first cup is on the table; the second cup is on the table; you hold the third cup",
        "the first cup is in the cupboard; you hold the second cup; the third cup is in the cupboard",
        "you hold the first cup; you hold the second cup; the third cup is in the cupboard",
        "you hold the first cup; the second cup is on the table; the third cup is in the home_office",
        "the first cup is in the cupboard; the second cup is in the kitchen; the third cup is on the table",
        "the first cup is in the home_office; the first cup is on the table; the second cup is in the cupboard",
        "you hold the cup; the cup is in the home_office",
        "the cup is in the home_office; the cup is on the table",
    ],
)
@pytest.mark.parametrize("end", ["", "; you are in the home_office"])
def test_tasks_of_several_alike_things_come_to_an_end(wishes: str, end: str) -> None:
    player = Player(homes_of_twins.twins(), wishes + end)
    assert player.play(30).actions == (FINISH,)
    held = [name for name in player.episode.look().inventory.split() if name.startswith("cup")]
    assert len(held) >= wishes.count("hold")


def test_seat_without_a_place_left_is_cleared() -> None:
    graph = home_graph()
    graph.add(SHIRT, "ON", CHAIR)
    player = Player(graph, "you are sitting; you are on the chair")
    assert player.play().actions == (FINISH,)
    assert player.commands == ["walk to chair_1", "grab clothes_shirt_1", "sit on chair_1"]


def test_another_thing_is_tried_where_nothing_can_be_done_with_the_first() -> None:
    graph = homes_of_twins.twins()
    plain = next(id for id, node in graph.nodes.items() if node.name == "cup")
    node = graph.nodes[plain]
    nodes = [
        each if each.id != plain else type(node)(plain, node.name, "", frozenset())
        for each in graph.nodes.values()
    ]
    player = Player(
        HomeGraph(nodes, {id: graph.states(id) for id in graph.nodes}, graph.facts()), "you hold the cup"
    )
    assert player.play().actions == (FINISH,)
    assert any(command.startswith("grab cup") for command in player.commands)


def test_agent_gives_up_a_missing_thing_as_not_found_after_it_searched_everywhere() -> None:
    player = Player(home_graph(), "the table_lamp is plugged in; you hold the novel")
    answer = player.play()
    assert (answer.actions, answer.failure) == ((GIVE_UP,), ErrorCode.NONE)
    assert {"walk to kitchen_1", "open fridge_1", "plug in table_lamp_1"} <= set(player.commands)
    assert "It is not so yet: you hold the novel." in answer.reasoning


@pytest.mark.parametrize("task", ["the plate is dirty", "the cup is in you", "the chair is in the kitchen"])
def test_agent_gives_up_an_impossible_wish_as_impossible(task: str) -> None:
    answer = Player(home_graph(), task).play()
    assert (answer.actions, answer.failure) == ((GIVE_UP,), ErrorCode.IMPOSSIBLE)


@pytest.mark.parametrize(
    "task",
    [
        "the cup is on the table; the cup is on the plate",
        "the cup is on the plate; the plate is on the cup",
        "the bread is in the fridge; you hold the bread",
    ],
)
def test_agent_gives_up_wishes_that_undo_each_other_instead_of_going_round(task: str) -> None:
    answer = Player(home_graph(), task).play(30)
    assert (answer.actions, answer.failure) == ((GIVE_UP,), ErrorCode.IMPOSSIBLE)


def test_task_that_contradicts_itself_is_given_up_at_once() -> None:
    player = Player(
        home_graph(), "the bread is in the kitchen; you are in the kitchen; you are in the home_office"
    )
    answer = player.play()
    assert (answer.actions, answer.failure, player.commands) == ((GIVE_UP,), ErrorCode.CONTRADICTION, [])
    assert "you are in the kitchen; you are in the home_office" in answer.reasoning


def test_container_that_was_closed_again_is_not_searched_again() -> None:
    player = Player(home_graph(), "you hold the novel; the fridge is closed")
    assert player.play().actions == (GIVE_UP,)
    assert [each for each in player.commands if "fridge" in each][1:] == ["open fridge_1", "close fridge_1"]


def test_rejected_command_is_not_repeated() -> None:
    player = Player(home_graph(), "you do not hold the cup").do(*_CUP)
    [drop] = player.next().actions
    assert str(drop) == "drop cup_1"
    assert drop not in next_action(player.query(rejected=(drop,))).actions


def test_reason_names_the_aim_and_the_command() -> None:
    answer = Player(home_graph(), "you hold the milk").next()
    assert answer.subgoal == "you hold the milk"
    assert answer.reasoning == (
        "The aim: you hold the milk. No milk was found so far; kitchen_1 was not seen yet. "
        "So walk to kitchen_1 is next."
    )


def test_end_says_which_things_were_meant() -> None:
    answer = Player(home_graph(), "you hold the milk").do(*_MILK).next()
    assert answer.reasoning == "All that was asked for is so: you hold the milk. Here, the milk is milk_1."
    seated = ("walk to chair_1", "sit on chair_1")
    answer = Player(home_graph(), f"{_ON_THE_CHAIR}; you are in the home_office").do(*seated).next()
    assert answer.reasoning.startswith(
        "All that was asked for is so: you are sitting; you are on the chair; you are in the home_office. Here, "
    )


def test_task_of_another_form_is_not_understood() -> None:
    with pytest.raises(TaskNotUnderstoodError):
        Player(home_graph(), "make me happy").next()


def _with(graph: HomeGraph, id: int, name: str, *facts: tuple[int, str, int], states: str = "") -> HomeGraph:
    """Returns a home with one more thing, which can be grabbed."""
    node = Node(id, name, "", frozenset({"GRABBABLE"}))
    return HomeGraph(
        [*graph.nodes.values(), node],
        {each: graph.states(each) for each in graph.nodes} | {id: frozenset(states.split())},
        [*graph.facts(), *facts],
    )


def test_thing_is_not_taken_for_one_whose_name_has_another_word_before() -> None:
    graph = _with(home_graph(), 98, "pot", (98, "INSIDE", STUDY))
    task = "you hold the coffee pot"
    with pytest.raises(TaskNotUnderstoodError, match="which pot is meant by 'coffee'"):
        Player(graph, task).play()
    player = Player(_with(graph, 99, "coffee_pot", (99, "INSIDE", people_programs.KITCHEN)), task)
    assert player.play().actions == (FINISH,)
    assert player.commands[-1] == "grab coffee_pot_1"


@pytest.mark.parametrize(
    ("name", "said"),
    [("TV", "TV"), ("lamp (floor)", "lamp (floor)"), ("No. 5; new.", "No_5_new"), ("café", "Café")],
)
def test_thing_whose_class_has_capital_letters_or_punctuation_is_found(name: str, said: str) -> None:
    graph = _with(home_graph(), 99, name, (99, "INSIDE", people_programs.KITCHEN))
    player = Player(graph, f"the {said} is in the home_office")
    assert player.play().actions == (FINISH,)


def test_unknown_state_that_a_thing_is_seen_to_have_is_understood_and_cannot_be_changed() -> None:
    graph = _with(home_graph(), 99, "vase", (99, "INSIDE", STUDY), states="BROKEN")
    answer = Player(graph, "the vase is not broken").play()
    assert (answer.actions, answer.failure) == ((GIVE_UP,), ErrorCode.IMPOSSIBLE)
    with pytest.raises(TaskNotUnderstoodError, match="'broken' is not known"):
        Player(home_graph(), "the cup is not broken").next()


def test_thinker_without_experience_chooses_what_the_rules_do() -> None:
    query = Player(home_graph(), "you hold the milk").query()
    assert ProgramsThinker().answer(ThinkQuery(**vars(query))) == next_action(query)


def test_experience_orders_the_search_and_never_says_where_a_thing_is() -> None:
    graph = homes_of_twins.twins()
    box = type(graph.nodes[STUDY])(99, "box", "", frozenset({"CAN_OPEN"}))
    states = {id: graph.states(id) for id in graph.nodes} | {99: frozenset({"CLOSED"})}
    graph = HomeGraph(
        [*graph.nodes.values(), box], states, [*graph.facts(), (99, "INSIDE", homes_of_twins.KITCHEN)]
    )
    query = Player(graph, "you hold the novel").do("walk to home_office_1", "walk to kitchen_1").query()
    for place in ("box", "cupboard"):
        rule = RuleOfThumb(thing="novel", place=place, room="kitchen", found=9, looked=9)
        [action] = ProgramsThinker().answer(ThinkQuery(**vars(query), rules=(rule,))).actions
        assert action == Action(words.SKILL_COMMAND, (f"walk to {place}_1",))
    milk = RuleOfThumb(thing="milk", place="cupboard", room="kitchen", found=9, looked=9)
    seen = Player(graph, "you hold the milk").query()
    assert ProgramsThinker().answer(ThinkQuery(**vars(seen), rules=(milk,))) == next_action(seen)


def _changed(home: HomeGraph, seed: int, choices: list[int]) -> Goal:
    """Returns what commands change, as the suite makes a goal of what people do; nothing may be left to do."""
    episode = Episode(home, seed)
    for choice in choices:
        commands = episode.look().commands
        deeds = [command for command in commands if not command.startswith("walk")]
        chosen = deeds if deeds and choice % 3 else commands
        assert not episode.execute(chosen[choice % len(chosen)])
    goal = goal_of(home, episode.graph)
    if goal.scope is Scope.NOTHING:
        return goal
    return identified(goal, home, lasting_rooms(goal, home, episode.graph)) or Goal((), Scope.NOTHING)


_HOMES = st.sampled_from((home_graph, homes_of_twins.twins))
_CHOICES = st.lists(st.integers(0, 10**6), min_size=2, max_size=20)


@given(_HOMES, st.integers(0, 5), st.booleans(), _CHOICES)
def test_no_task_is_finished_while_a_wish_is_open(
    home: object, seed: int, moved: bool, choices: list[int]
) -> None:
    assert callable(home)
    graph = home()
    goal = _changed(graph, seed, choices)
    if not goal.conditions:
        return
    start = with_things_moved(graph, seed) if moved else graph
    player = Player(start, "; ".join(goal_sentences(goal, start).values()), seed)
    for _ in range(40):
        action = player.next().actions[0]
        if action.skill != words.SKILL_COMMAND:
            break
        player.do(str(action))
    ending = player.episode.graph
    found = best_assignment(goal, ending)
    met = all(condition.of(found).holds(ending) for condition in (*goal.conditions, *goal.givens))
    assert met or action != FINISH
