"""The kinds of small things in kitchens."""

from __future__ import annotations

from stma_ros.worlds.house.kinds import palette as p
from stma_ros.worlds.house.kinds.item_kind import TWO_SIZES, ItemKind
from stma_ros.worlds.house.kinds.item_shapes import crockery, food
from stma_ros.worlds.robot.geometry import Rect
from stma_ros.worlds.robot.scene import Shelf

_WORKTOPS = ("counter", "table", "dining table", "cupboard", "dishwasher")
_COLD = ("fridge", "counter", "table", "dining table")
_EATING = ("kitchen", "dining room")
_GLASSES = (168, 200, 214)

_KITCHEN = (
    ItemKind(
        "mug",
        "ceramic",
        p.GLAZES,
        (*_WORKTOPS, "desk", "coffee table"),
        crockery.mug,
        TWO_SIZES,
        full=crockery.full_mug,
        lining=crockery.lined_mug,
    ),
    ItemKind(
        "cup",
        "ceramic",
        (p.WHITE, p.RED, p.ROYAL),
        (*_WORKTOPS, "sideboard"),
        crockery.cup,
        full=crockery.full_cup,
        lining=crockery.lined_cup,
    ),
    ItemKind(
        "bowl",
        "ceramic",
        (p.GREEN, p.WHITE, p.ORANGE, p.RED),
        (*_WORKTOPS, "sink"),
        crockery.bowl,
        TWO_SIZES,
        full=crockery.full_bowl,
        lining=crockery.lined_bowl,
        inside=(Shelf(Rect(-0.06, -0.06, 0.06, 0.06), 0.014, 1.0),),
    ),
    ItemKind(
        "plate",
        "ceramic",
        (p.WHITE, p.BLUE, p.YELLOW),
        (*_WORKTOPS, "sink"),
        crockery.plate,
        (0.8, 1.1),
        on=Shelf(Rect(-0.11, -0.11, 0.11, 0.11), 0.032, 1.0),
    ),
    ItemKind(
        "glass",
        "glass",
        (_GLASSES,),
        (*_WORKTOPS, "sideboard"),
        crockery.glass,
        TWO_SIZES,
        full=crockery.full_glass,
    ),
    ItemKind(
        "jug",
        "ceramic",
        (p.GREEN, p.WHITE),
        ("counter", "table", "dining table", "cupboard", "fridge"),
        crockery.jug,
        full=crockery.full_jug,
        lining=crockery.lined_jug,
    ),
    ItemKind(
        "teapot",
        "ceramic",
        (p.WHITE, p.GREEN, p.RED),
        ("cupboard", "counter", "dining table", "sideboard"),
        crockery.teapot,
        full=crockery.full_teapot,
    ),
    ItemKind(
        "kettle",
        "metal",
        (p.STEEL, p.RED),
        ("counter", "stove"),
        crockery.kettle,
        full=crockery.full_kettle,
        lit=crockery.lit_kettle,
    ),
    ItemKind(
        "wine bottle",
        "glass",
        (p.GREEN, p.RED, p.BROWN),
        ("fridge", "cupboard", "dining table", "sideboard"),
        crockery.wine_bottle,
    ),
    ItemKind(
        "pan", "metal", (p.GREY, p.RED), ("stove", "oven", "cupboard", "counter"), crockery.pan, (0.8, 1.05)
    ),
    ItemKind(
        "pot",
        "metal",
        (p.STEEL, p.RED, p.GREEN),
        ("stove", "cupboard", "oven", "sink"),
        crockery.pot,
        (0.8, 1.1),
        full=crockery.full_pot,
        lining=crockery.lined_pot,
    ),
    ItemKind(
        "chopping board",
        "wood",
        (p.BROWN, p.GREEN),
        ("counter", "cupboard"),
        crockery.chopping_board,
        on=Shelf(Rect(-0.11, -0.17, 0.11, 0.12), 0.024, 1.0),
    ),
    ItemKind(
        "tray",
        "wood",
        (p.BROWN, p.WHITE),
        ("counter", "table", "coffee table", "oven"),
        crockery.tray,
        on=Shelf(Rect(-0.11, -0.16, 0.11, 0.16), 0.016, 1.0),
    ),
    ItemKind("toaster", "metal", (p.STEEL, p.RED), ("counter",), crockery.toaster, lit=crockery.lit_toaster),
    ItemKind(
        "coffee machine",
        "plastic",
        (p.BLACK, p.RED, p.WHITE),
        ("counter",),
        crockery.coffee_machine,
        lit=crockery.lit_coffee_machine,
    ),
)

_FOOD = (
    ItemKind("apple", "food", (p.RED, p.GREEN, p.YELLOW), _COLD, food.apple),
    ItemKind("orange", "food", (p.ORANGE,), _COLD, food.orange),
    ItemKind("lemon", "food", (p.YELLOW,), _COLD, food.lemon),
    ItemKind("tomato", "food", (p.RED,), _COLD, food.tomato),
    ItemKind(
        "banana",
        "food",
        (p.YELLOW,),
        ("counter", "table", "dining table", "sideboard"),
        food.banana,
        rooms=_EATING,
    ),
    ItemKind("pineapple", "food", (p.ORANGE,), ("counter", "dining table", "fridge"), food.pineapple),
    ItemKind("bread", "food", ((196, 140, 80),), ("counter", "cupboard", "table"), food.bread),
    ItemKind(
        "cake", "food", (p.PINK, p.BROWN), ("fridge", "counter", "dining table", "microwave"), food.cake
    ),
    ItemKind("cheese", "food", (p.YELLOW,), ("fridge", "counter"), food.cheese),
    ItemKind("milk", "paper", (p.WHITE,), ("fridge", "table"), food.milk),
    ItemKind("juice", "paper", (p.ORANGE, p.GREEN, p.RED), ("fridge", "counter", "table"), food.juice),
    ItemKind(
        "cereal box", "paper", (p.RED, p.BLUE, p.YELLOW), ("cupboard", "counter", "table"), food.cereal_box
    ),
    ItemKind("pasta", "paper", (p.BLUE, p.RED), ("cupboard", "counter"), food.pasta),
    ItemKind("rice", "paper", (p.WHITE, p.ORANGE), ("cupboard", "counter"), food.rice),
    ItemKind("coffee", "paper", (p.BROWN, p.RED), ("cupboard", "counter"), food.coffee),
    ItemKind("can", "metal", (p.RED, p.GREEN, p.BLUE), ("cupboard", "fridge", "freezer"), food.can),
    ItemKind(
        "jar",
        "glass",
        ((176, 74, 60), (206, 146, 60)),
        ("fridge", "cupboard", "sideboard"),
        food.jar,
        TWO_SIZES,
        rooms=_EATING,
    ),
)

KITCHEN_ITEMS = (*_KITCHEN, *_FOOD)
