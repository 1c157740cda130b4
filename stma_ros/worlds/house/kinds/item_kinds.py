"""All kinds of small things, by name."""

from __future__ import annotations

from stma_ros.worlds.house.kinds.activity_items import ACTIVITY_ITEMS
from stma_ros.worlds.house.kinds.household_items import HOUSEHOLD_ITEMS
from stma_ros.worlds.house.kinds.item_kind import ItemKind
from stma_ros.worlds.house.kinds.kitchen_items import KITCHEN_ITEMS
from stma_ros.worlds.house.kinds.personal_items import PERSONAL_ITEMS

ITEMS: dict[str, ItemKind] = {kind.name: kind for kind in (*KITCHEN_ITEMS, *HOUSEHOLD_ITEMS, *PERSONAL_ITEMS)}
"""The kinds that flats are stocked with."""

ALL_ITEMS: dict[str, ItemKind] = {**ITEMS, **ACTIVITY_ITEMS}
"""All kinds."""
