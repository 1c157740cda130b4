"""The kinds of furniture: sizes, colours and how each is built."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.worlds.house import containers, decor, fixtures, shapes
from stma_ros.worlds.house.meshes import Colour
from stma_ros.worlds.house.shapes import Builder, Shape, Size

_OAK, _PINE, _WALNUT, _BEECH = (176, 128, 80), (214, 176, 124), (110, 74, 48), (200, 158, 108)
_WHITE, _CREAM, _GREY, _DARK, _STEEL = (
    (238, 238, 234),
    (226, 218, 200),
    (150, 154, 158),
    (58, 60, 66),
    (196, 200, 204),
)


@dataclass(frozen=True)
class FurnitureKind:
    """`least` and `greatest` size (depth, width, height) [m]; one of `colours` (main, second) is drawn."""

    name: str
    least: Size
    greatest: Size
    colours: tuple[tuple[Colour, Colour], ...]
    build: Builder
    solid: bool = True  # False: the base drives over it

    def shape(self, size: Size, colours: tuple[Colour, Colour]) -> Shape:
        return self.build(size, *colours)


_KITCHEN_FRONTS = ((_WHITE, _OAK), ((150, 176, 160), _BEECH), (_CREAM, _WALNUT))
_WOODS = ((_OAK, _WALNUT), (_PINE, _OAK), (_WALNUT, _DARK), (_BEECH, _OAK), (_WHITE, _BEECH))
_TABLES = ((_OAK, _WALNUT), (_PINE, _OAK), (_WALNUT, _WALNUT), (_WHITE, _BEECH))

_KINDS = (
    FurnitureKind("counter", (0.6, 0.8, 0.9), (0.62, 1.3, 0.9), _KITCHEN_FRONTS, fixtures.counter),
    FurnitureKind("sink", (0.6, 0.8, 0.9), (0.62, 0.9, 0.9), _KITCHEN_FRONTS, fixtures.sink),
    FurnitureKind(
        "stove", (0.6, 0.6, 0.9), (0.62, 0.62, 0.9), ((_STEEL, _DARK), (_WHITE, _DARK)), fixtures.stove
    ),
    FurnitureKind(
        "oven",
        (0.6, 0.6, 1.3),
        (0.62, 0.62, 1.4),
        ((_STEEL, _DARK), (_WHITE, _DARK)),
        containers.appliance(0.7, 1.12, window=True),
    ),
    FurnitureKind(
        "dishwasher",
        (0.6, 0.6, 0.88),
        (0.62, 0.62, 0.9),
        ((_WHITE, _DARK), (_STEEL, _DARK)),
        containers.appliance(0.3, 0.74, window=False),
    ),
    FurnitureKind(
        "fridge",
        (0.62, 0.62, 1.65),
        (0.66, 0.68, 1.85),
        ((_STEEL, _DARK), (_WHITE, _GREY), ((168, 60, 56), _DARK)),
        containers.cabinet(1, (0.5, 0.84, 1.16), 0.06, top=False, lining=(236, 242, 246)),
    ),
    FurnitureKind(
        "cupboard",
        (0.42, 0.85, 1.5),
        (0.46, 1.0, 1.7),
        (((150, 176, 160), _BEECH), (_CREAM, _WALNUT), (_PINE, _OAK)),
        containers.cabinet(2, (0.42, 0.8, 1.14), top=False),
    ),
    FurnitureKind("table", (0.8, 1.2, 0.74), (0.9, 1.5, 0.76), _TABLES, shapes.table),
    FurnitureKind(
        "chair",
        (0.42, 0.42, 0.88),
        (0.44, 0.44, 0.94),
        (((196, 92, 70), _OAK), ((96, 130, 150), _OAK), (_BEECH, _BEECH), ((220, 188, 92), _WALNUT)),
        shapes.chair,
    ),
    FurnitureKind(
        "sofa",
        (0.85, 1.7, 0.8),
        (0.92, 2.1, 0.86),
        (
            ((86, 116, 140), (110, 140, 164)),
            ((150, 84, 74), (176, 108, 96)),
            ((126, 140, 104), (152, 166, 128)),
            ((148, 142, 136), (172, 166, 160)),
        ),
        shapes.sofa,
    ),
    FurnitureKind(
        "armchair",
        (0.8, 0.85, 0.8),
        (0.85, 0.95, 0.86),
        (
            ((196, 150, 62), (214, 172, 92)),
            ((92, 104, 120), (118, 130, 146)),
            ((140, 92, 110), (166, 120, 136)),
        ),
        shapes.sofa,
    ),
    FurnitureKind("coffee table", (0.5, 0.9, 0.42), (0.6, 1.1, 0.45), _TABLES, shapes.table),
    FurnitureKind(
        "tv stand",
        (0.4, 1.2, 0.5),
        (0.45, 1.5, 0.55),
        ((_WALNUT, _DARK), (_WHITE, _GREY), (_OAK, _WALNUT)),
        decor.tv_stand,
    ),
    FurnitureKind(
        "bookshelf", (0.3, 0.8, 1.7), (0.34, 1.1, 1.9), _WOODS, shapes.open_shelf((0.36, 0.72, 1.08))
    ),
    FurnitureKind("shelf", (0.32, 0.8, 0.9), (0.36, 1.1, 1.0), _WOODS, shapes.open_shelf((0.12, 0.5))),
    FurnitureKind("cabinet", (0.42, 0.8, 0.8), (0.46, 1.0, 0.95), _WOODS, containers.cabinet(2, (0.1, 0.46))),
    FurnitureKind("sideboard", (0.45, 1.0, 0.8), (0.48, 1.1, 0.88), _WOODS, containers.cabinet(2, (0.12,))),
    FurnitureKind(
        "bed",
        (2.0, 1.4, 0.9),
        (2.05, 1.8, 1.0),
        (
            ((112, 148, 184), _OAK),
            ((190, 112, 104), _WALNUT),
            ((134, 168, 128), _PINE),
            ((222, 196, 130), _WALNUT),
        ),
        shapes.bed,
    ),
    FurnitureKind(
        "nightstand",
        (0.42, 0.46, 0.52),
        (0.44, 0.52, 0.58),
        ((_OAK, _WALNUT), (_WHITE, _BEECH), (_PINE, _OAK)),
        containers.cabinet(1, (0.1,), drawers=2),
    ),
    FurnitureKind(
        "wardrobe",
        (0.55, 1.0, 1.9),
        (0.6, 1.1, 2.1),
        ((_WHITE, _GREY), (_OAK, _WALNUT), (_PINE, _OAK)),
        containers.cabinet(2, (0.12, 0.62, 1.08), top=False),
    ),
    FurnitureKind(
        "dresser", (0.45, 0.9, 0.85), (0.5, 1.05, 0.95), _WOODS, containers.cabinet(2, (0.1, 0.46), drawers=3)
    ),
    FurnitureKind("desk", (0.65, 1.2, 0.74), (0.7, 1.5, 0.76), _TABLES, shapes.desk),
    FurnitureKind(
        "bathtub", (0.75, 1.6, 0.55), (0.8, 1.7, 0.58), ((_WHITE, (214, 228, 234)),), fixtures.bathtub
    ),
    FurnitureKind(
        "toilet", (0.66, 0.38, 0.8), (0.68, 0.4, 0.82), ((_WHITE, (226, 226, 224)),), fixtures.toilet
    ),
    FurnitureKind(
        "washbasin", (0.46, 0.6, 0.85), (0.5, 0.7, 0.88), ((_WHITE, (200, 216, 222)),), fixtures.washbasin
    ),
    FurnitureKind(
        "laundry basket", (0.4, 0.4, 0.55), (0.45, 0.45, 0.6), (((206, 184, 146), _WALNUT),), decor.basket
    ),
    FurnitureKind("bench", (0.36, 0.9, 0.45), (0.4, 1.1, 0.47), _TABLES, shapes.table),
    FurnitureKind(
        "coat stand",
        (0.45, 0.45, 1.7),
        (0.5, 0.5, 1.8),
        ((_WALNUT, (70, 90, 120)), (_DARK, (160, 70, 60))),
        decor.coat_stand,
    ),
    FurnitureKind(
        "plant",
        (0.45, 0.45, 1.1),
        (0.5, 0.5, 1.4),
        (((70, 132, 66), (186, 106, 72)), ((90, 150, 90), _WHITE)),
        decor.plant,
    ),
    FurnitureKind(
        "floor lamp", (0.36, 0.36, 1.5), (0.4, 0.4, 1.6), (((246, 232, 196), _DARK),), decor.floor_lamp
    ),
    FurnitureKind(
        "rug",
        (1.5, 2.0, 0.012),
        (1.7, 2.4, 0.012),
        (
            ((176, 76, 68), (226, 202, 164)),
            ((74, 104, 134), (216, 210, 196)),
            ((150, 160, 120), (230, 224, 200)),
        ),
        decor.rug,
        solid=False,
    ),
)

FURNITURE: dict[str, FurnitureKind] = {kind.name: kind for kind in _KINDS}
