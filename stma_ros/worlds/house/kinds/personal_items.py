"""The kinds of small things for playing, reading, wearing and decoration."""

from __future__ import annotations

from stma_ros.worlds.house.kinds import palette as p
from stma_ros.worlds.house.kinds.item_kind import TWO_SIZES, ItemKind
from stma_ros.worlds.house.kinds.item_shapes import clothing, crockery, leisure
from stma_ros.worlds.robot.geometry import Rect
from stma_ros.worlds.robot.scene import Shelf

_READING = ("bookshelf", "desk", "coffee table", "nightstand", "shelf", "side table")
_SHOWN = ("sideboard", "shelf", "bookshelf", "dresser", "side table", "piano")
_LINEN = ("wardrobe", "dresser", "chest")
_WASHING = ("washing machine", "dryer", "laundry basket")
_WET = ("bathroom", "laundry room")

_LEISURE = (
    ItemKind(
        "book",
        "paper",
        p.LIVELY,
        (*_READING, "cabinet", "filing cabinet"),
        leisure.book,
        (0.8, 1.1),
        on=Shelf(Rect(-0.085, -0.12, 0.085, 0.12), 0.04, 1.0),
    ),
    ItemKind(
        "notebook",
        "paper",
        (p.RED, p.GREEN, p.BLACK),
        ("desk", "filing cabinet", "bookshelf", "table"),
        leisure.notebook,
        on=Shelf(Rect(-0.075, -0.105, 0.075, 0.105), 0.024, 1.0),
    ),
    ItemKind(
        "magazine",
        "paper",
        (p.PINK, p.YELLOW, p.BLUE),
        ("coffee table", "sofa", "side table", "nightstand"),
        leisure.magazine,
        on=Shelf(Rect(-0.105, -0.145, 0.105, 0.145), 0.0135, 1.0),
    ),
    ItemKind(
        "game",
        "paper",
        (p.GREEN, p.RED, p.PURPLE),
        ("shelf", "tv stand", "cabinet", "chest", "sideboard"),
        leisure.game,
    ),
    ItemKind(
        "picture frame",
        "wood",
        (p.BROWN, p.WHITE, p.BLACK),
        (*_SHOWN, "desk", "nightstand"),
        leisure.picture_frame,
    ),
    ItemKind("stapler", "metal", (p.RED, p.BLUE, p.BLACK), ("desk", "filing cabinet"), leisure.stapler),
    ItemKind("globe", "plastic", (p.BLUE,), ("desk", "bookshelf", "shelf", "filing cabinet"), leisure.globe),
    ItemKind(
        "vase",
        "ceramic",
        (p.WHITE, p.PURPLE, p.ROYAL),
        ("dining table", "sideboard", "coffee table", "cabinet", "side table"),
        crockery.vase,
        full=crockery.full_vase,
    ),
    ItemKind(
        "candle",
        "wax",
        (p.RED, p.WHITE, p.YELLOW),
        ("coffee table", "sideboard", "dining table", "piano"),
        leisure.candle,
        TWO_SIZES,
    ),
    ItemKind("cactus", "plant", (p.GREEN,), ("desk", "bookshelf", "shelf", "sideboard"), leisure.cactus),
    ItemKind(
        "teddy bear",
        "fabric",
        ((156, 104, 62), p.WHITE, p.PINK),
        ("bed", "bunk bed", "chest", "shelf"),
        leisure.teddy_bear,
        (0.7, 1.1),
    ),
    ItemKind(
        "doll", "fabric", (p.RED, p.BLUE, p.PINK), ("bunk bed", "chest", "bed", "wardrobe"), leisure.doll
    ),
    ItemKind(
        "toy car",
        "plastic",
        (p.RED, p.BLUE, p.YELLOW, p.GREEN),
        ("shelf", "chest", "bunk bed", "coffee table"),
        leisure.toy_car,
        (0.7, 1.1),
    ),
    ItemKind(
        "building block",
        "wood",
        (p.RED, p.YELLOW),
        ("shelf", "chest", "desk", "coffee table"),
        leisure.building_blocks,
    ),
    ItemKind(
        "ball",
        "rubber",
        (p.RED, p.BLUE, p.ORANGE),
        ("chest", "shelf", "wardrobe"),
        leisure.ball_toy,
        (0.6, 1.0),
    ),
    ItemKind(
        "umbrella", "fabric", (p.BLACK, p.RED, p.BLUE), ("shoe rack", "wardrobe", "bench"), leisure.umbrella
    ),
    ItemKind("hammer", "metal", (p.RED, p.BLUE), ("workbench", "cabinet", "shelf"), leisure.hammer),
)

_CLOTHING = (
    ItemKind(
        "shoe",
        "leather",
        (p.BLUE, p.BROWN, p.RED, p.BLACK),
        ("shoe rack", "wardrobe", "bench"),
        clothing.shoe,
        (0.75, 1.05),
    ),
    ItemKind("hat", "fabric", (p.BROWN, p.BLUE, p.RED), ("wardrobe", "bench", "dresser"), clothing.hat),
    ItemKind(
        "bag",
        "leather",
        (p.BROWN, p.PURPLE, p.GREEN),
        ("wardrobe", "bench", "desk"),
        clothing.bag,
        (0.8, 1.1),
    ),
    ItemKind(
        "backpack", "fabric", (p.BLUE, p.RED, p.BLACK), ("wardrobe", "bench", "desk"), clothing.backpack
    ),
    ItemKind(
        "wallet",
        "leather",
        (p.BROWN, p.BLACK),
        ("nightstand", "desk", "dresser", "sideboard", "bench"),
        clothing.wallet,
    ),
    ItemKind(
        "shirt", "fabric", (p.BLUE, p.WHITE, p.RED, p.GREEN), (*_LINEN, *_WASHING, "bed"), clothing.shirt
    ),
    ItemKind(
        "trousers", "fabric", (p.BLUE, p.BLACK, p.BROWN), (*_LINEN, *_WASHING, "bed"), clothing.trousers
    ),
    ItemKind(
        "towel",
        "fabric",
        (p.BLUE, p.PINK, p.WHITE, p.GREEN),
        ("cabinet", "shelf", *_WASHING),
        clothing.towel,
        (0.8, 1.1),
        rooms=_WET,
    ),
    ItemKind(
        "blanket", "fabric", (p.RED, p.GREEN, p.BLUE), (*_LINEN, "bed", "sofa", "bunk bed"), clothing.blanket
    ),
    ItemKind(
        "pillow", "fabric", (p.WHITE, p.BLUE), ("bed", "wardrobe", "chest", "bunk bed"), clothing.pillow
    ),
    ItemKind("cushion", "fabric", p.LIVELY, ("sofa", "armchair", "bed", "wardrobe"), clothing.cushion),
)

PERSONAL_ITEMS = (*_LEISURE, *_CLOTHING)
