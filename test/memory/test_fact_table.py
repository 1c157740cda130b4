"""Tests of the table of facts against plain lists."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.fact_table import FactTable
from stma_ros.types.scene_graph import Relation

NAMES = st.sampled_from("abcdef")
ADDED = st.tuples(NAMES, NAMES, st.booleans())
REMOVED = st.integers(0, 30)


@given(st.lists(ADDED | REMOVED, max_size=120))
def test_fact_table_lists_its_facts_in_the_order_of_insertion(
    changes: list[tuple[str, str, bool] | int],
) -> None:
    table = FactTable()
    expected: list[tuple[int, Relation, bool]] = []
    for change in changes:
        if not isinstance(change, int):
            fact = Relation(change[0], "near", change[1])
            expected.append((table.add(fact, link=change[2]), fact, change[2]))
        elif expected:
            table.remove(expected.pop(change % len(expected))[0])

    assert len({number for number, _, _ in expected}) == len(expected)
    assert all(table[number] is fact for number, fact, _ in expected)
    ends = {name for _, fact, link in expected for name in (fact.subject, *([fact.object] if link else []))}
    assert set(table.entities) == ends
    for name in "abcdef":
        assert (name in table) == (name in ends)
        values = [fact for _, fact, link in expected if not link and fact.subject == name]
        out = [fact for _, fact, link in expected if link and fact.subject == name]
        into = [fact for _, fact, link in expected if link and fact.object == name]
        assert list(map(id, table.values_of(name))) == list(map(id, values))
        assert list(map(id, table.links_from(name))) == list(map(id, out))
        assert list(map(id, table.links_to(name))) == list(map(id, into))


def test_replaced_fact_is_found_in_the_place_of_the_old_one() -> None:
    table = FactTable()
    first = table.add(Relation("cup", "on", "table", confidence=0.5), link=True)
    table.add(Relation("cup", "near", "plate"), link=True)

    table.replace(first, Relation("cup", "on", "table", confidence=0.9))

    assert [fact.confidence for fact in table.links_to("table")] == [Relation(confidence=0.9).confidence]
    assert [fact.predicate for fact in table.links_from("cup")] == ["on", "near"]
