"""The kinds of small things with a plug, and of those for washing, cleaning and storing."""

from __future__ import annotations

from stma_ros.worlds.house.kinds import palette as p
from stma_ros.worlds.house.kinds.item_kind import ItemKind
from stma_ros.worlds.house.kinds.item_shapes import cleaning, electrical

_SHOWN = ("sideboard", "shelf", "bookshelf", "dresser", "side table", "piano")
_BATH = ("bathroom",)
_WET = ("bathroom", "laundry room")
_DARKS = (p.BLACK, p.WHITE, p.BLUE)

_ELECTRICAL = (
    ItemKind(
        "laptop",
        "plastic",
        _DARKS,
        ("desk", "coffee table", "bed"),
        electrical.laptop,
        lit=electrical.lit_laptop,
    ),
    ItemKind(
        "table lamp",
        "metal",
        (p.BLACK, p.GREEN, p.RED),
        ("nightstand", "desk", "sideboard", "side table", "dresser"),
        electrical.table_lamp,
        lit=electrical.lit_table_lamp,
    ),
    ItemKind(
        "radio",
        "plastic",
        (p.RED, p.BLUE, p.WHITE),
        ("shelf", "sideboard", "nightstand", "workbench", "counter"),
        electrical.radio,
        lit=electrical.lit_radio,
    ),
    ItemKind(
        "torch",
        "metal",
        (p.RED, p.BLACK),
        ("shelf", "cabinet", "workbench", "nightstand"),
        electrical.torch,
        lit=electrical.lit_torch,
    ),
    ItemKind(
        "hair dryer",
        "plastic",
        (p.PURPLE, p.BLACK, p.RED),
        ("cabinet", "dresser"),
        electrical.hair_dryer,
        lit=electrical.lit_hair_dryer,
    ),
    ItemKind("tablet", "plastic", _DARKS, ("desk", "sofa", "coffee table", "nightstand"), electrical.tablet),
    ItemKind(
        "phone",
        "plastic",
        (p.BLACK, p.RED, p.WHITE),
        ("desk", "nightstand", "coffee table", "counter", "table"),
        electrical.phone,
    ),
    ItemKind(
        "remote",
        "plastic",
        (p.BLACK, p.GREY),
        ("coffee table", "sofa", "tv stand", "cabinet"),
        electrical.remote,
        rooms=("living room",),
    ),
    ItemKind(
        "camera", "plastic", (p.BLACK, p.RED), ("desk", "dresser", "cabinet", "bookshelf"), electrical.camera
    ),
    ItemKind(
        "headphones",
        "plastic",
        (p.BLACK, p.BLUE, p.RED),
        ("desk", "nightstand", "shelf", "filing cabinet"),
        electrical.headphones,
    ),
    ItemKind("iron", "metal", (p.BLUE, p.GREEN), ("ironing board", "cupboard", "shelf"), electrical.iron),
    ItemKind("clock", "plastic", (p.RED, p.WHITE, p.BLACK), ("nightstand", *_SHOWN), electrical.clock),
)

_CLEANING = (
    ItemKind(
        "soap bottle",
        "plastic",
        (p.PINK, p.GREEN, p.YELLOW),
        ("cabinet", "shelf"),
        cleaning.soap_bottle,
        rooms=_WET,
    ),
    ItemKind(
        "shampoo",
        "plastic",
        (p.PURPLE, p.GREEN, p.ORANGE),
        ("cabinet", "shelf", "bathtub"),
        cleaning.shampoo,
        rooms=_BATH,
    ),
    ItemKind(
        "toothpaste",
        "plastic",
        (p.RED, p.BLUE),
        ("washbasin", "cabinet", "shelf"),
        cleaning.toothpaste,
        rooms=_BATH,
    ),
    ItemKind(
        "toothbrush",
        "plastic",
        (p.RED, p.BLUE, p.GREEN),
        ("cabinet", "shelf"),
        cleaning.toothbrush,
        rooms=_BATH,
    ),
    ItemKind("toilet paper", "paper", (p.WHITE,), ("cabinet", "shelf"), cleaning.toilet_paper, rooms=_WET),
    ItemKind("medicine", "plastic", (p.ORANGE, p.WHITE), ("cabinet", "nightstand"), cleaning.medicine),
    ItemKind(
        "sponge",
        "plastic",
        (p.YELLOW, p.PINK),
        ("sink", "counter", "shelf"),
        cleaning.sponge,
        rooms=("kitchen", *_WET),
    ),
    ItemKind(
        "detergent",
        "plastic",
        (p.BLUE, p.ORANGE, p.GREEN),
        ("cupboard", "shelf", "cabinet"),
        cleaning.detergent,
        rooms=("kitchen", "laundry room", "storage room"),
    ),
    ItemKind(
        "bucket",
        "plastic",
        (p.RED, p.GREEN, p.YELLOW),
        ("shelf", "cupboard", "bathtub", "workbench"),
        cleaning.bucket,
        full=cleaning.full_bucket,
        lining=cleaning.lined_bucket,
    ),
    ItemKind(
        "watering can",
        "metal",
        (p.GREEN, p.STEEL, p.YELLOW),
        ("shelf", "bench", "workbench", "tv stand"),
        cleaning.watering_can,
        full=cleaning.full_watering_can,
    ),
    ItemKind(
        "storage box",
        "paper",
        (p.BROWN, p.BLUE, p.WHITE),
        ("wardrobe", "cabinet", "shelf", "freezer"),
        cleaning.storage_box,
    ),
)

HOUSEHOLD_ITEMS = (*_ELECTRICAL, *_CLEANING)
