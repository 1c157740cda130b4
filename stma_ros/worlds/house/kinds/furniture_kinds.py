"""The kinds of furniture: their sizes, colours and builders."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from stma_ros.worlds.house.kinds import appliances, containers, decor, fixtures, palette, seating, shapes
from stma_ros.worlds.house.kinds.shapes import Builder, Shape, Size
from stma_ros.worlds.house.meshes import Colour

_OAK, _PINE, _WALNUT, _BEECH = (176, 128, 80), (214, 176, 124), (110, 74, 48), (200, 158, 108)
_WHITE, _CREAM, _GREY, _DARK, _STEEL = (
    (238, 238, 234),
    (226, 218, 200),
    (150, 154, 158),
    (58, 60, 66),
    (196, 200, 204),
)

_Pairs = tuple[tuple[Colour, Colour], ...]


@dataclass(frozen=True)
class FurnitureKind:
    """A kind of furniture. Its size (depth, width, height) is between `least` and `greatest` [m]; one of `colours`
    (main, second) is drawn."""

    name: str
    least: Size
    greatest: Size
    colours: _Pairs
    build: Builder
    solid: bool = True  # False: the base drives over it
    tap: bool = False  # whether vessels are filled and emptied there

    def shape(self, size: Size, colours: tuple[Colour, Colour]) -> Shape:
        return _built(self.build, size, colours)


@lru_cache(maxsize=256)  # a piece keeps its shape while the placement tries places for it
def _built(build: Builder, size: Size, colours: tuple[Colour, Colour]) -> Shape:
    return build(size, *colours)


_FRONTS: _Pairs = ((_WHITE, _OAK), ((150, 176, 160), _BEECH), (_CREAM, _WALNUT))
_TALL_FRONTS: _Pairs = (((150, 176, 160), _BEECH), (_CREAM, _WALNUT), (_PINE, _OAK))
_WOODS: _Pairs = ((_OAK, _WALNUT), (_PINE, _OAK), (_WALNUT, _DARK), (_BEECH, _OAK), (_WHITE, _BEECH))
_TABLES: _Pairs = ((_OAK, _WALNUT), (_PINE, _OAK), (_WALNUT, _WALNUT), (_WHITE, _BEECH))
_MACHINES: _Pairs = ((_WHITE, _DARK), (_STEEL, _DARK))
_CERAMIC: _Pairs = ((_WHITE, (206, 220, 226)),)
_CHAIRS: _Pairs = (((196, 92, 70), _OAK), ((96, 130, 150), _OAK), (_BEECH, _BEECH), ((220, 188, 92), _WALNUT))
_SOFAS: _Pairs = (
    ((86, 116, 140), (110, 140, 164)),
    ((150, 84, 74), (176, 108, 96)),
    ((126, 140, 104), (152, 166, 128)),
    ((148, 142, 136), (172, 166, 160)),
)
_ARMCHAIRS: _Pairs = (
    ((196, 150, 62), (214, 172, 92)),
    ((92, 104, 120), (118, 130, 146)),
    ((140, 92, 110), (166, 120, 136)),
)
_BEDDING: _Pairs = (
    ((112, 148, 184), _OAK),
    ((190, 112, 104), _WALNUT),
    ((134, 168, 128), _PINE),
    ((222, 196, 130), _WALNUT),
)
_BUNKS: _Pairs = (((92, 150, 190), _PINE), ((214, 120, 120), _WHITE), ((120, 176, 130), _BEECH))
_CHESTS: _Pairs = (((214, 120, 84), (226, 196, 120)), ((96, 140, 176), _WHITE), (_PINE, _WALNUT))
_RUGS: _Pairs = (
    ((176, 76, 68), (226, 202, 164)),
    ((74, 104, 134), (216, 210, 196)),
    ((150, 160, 120), (230, 224, 200)),
)

_KITCHEN = (
    FurnitureKind("counter", (0.6, 0.8, 0.9), (0.62, 1.3, 0.9), _FRONTS, fixtures.counter),
    FurnitureKind("sink", (0.6, 0.8, 0.9), (0.62, 0.9, 0.9), _FRONTS, fixtures.sink, tap=True),
    FurnitureKind("stove", (0.6, 0.6, 0.9), (0.62, 0.62, 0.9), _MACHINES, appliances.stove),
    FurnitureKind(
        "oven",
        (0.6, 0.6, 1.3),
        (0.62, 0.62, 1.4),
        _MACHINES,
        appliances.flap_appliance(0.7, 1.12, window=True, display=palette.WARM),
    ),
    FurnitureKind(
        "dishwasher",
        (0.6, 0.6, 0.88),
        (0.62, 0.62, 0.9),
        _MACHINES,
        appliances.flap_appliance(0.3, 0.74, window=False, display=palette.SCREEN),
    ),
    FurnitureKind("microwave", (0.4, 0.6, 1.2), (0.44, 0.64, 1.26), _MACHINES, appliances.microwave),
    FurnitureKind(
        "fridge",
        (0.62, 0.62, 1.65),
        (0.66, 0.68, 1.85),
        ((_STEEL, _DARK), (_WHITE, _GREY), ((168, 60, 56), _DARK)),
        containers.cabinet(1, (0.5, 0.84, 1.16), 0.06, top=False, lining=(236, 242, 246)),
    ),
    FurnitureKind(
        "freezer",
        (0.58, 0.6, 0.84),
        (0.62, 0.64, 0.9),
        ((_WHITE, _GREY), (_STEEL, _DARK)),
        appliances.freezer,
    ),
    FurnitureKind(
        "cupboard",
        (0.42, 0.85, 1.5),
        (0.46, 1.0, 1.7),
        _TALL_FRONTS,
        containers.cabinet(2, (0.42, 0.8, 1.14), top=False),
    ),
    FurnitureKind(
        "bin", (0.32, 0.32, 0.5), (0.36, 0.36, 0.56), ((_STEEL, _DARK), (_DARK, _GREY)), decor.waste_bin
    ),
)
_TABLES_AND_SEATS = (
    FurnitureKind("table", (0.75, 1.1, 0.74), (0.85, 1.3, 0.76), _TABLES, shapes.table),
    FurnitureKind("dining table", (0.85, 1.4, 0.74), (0.95, 1.7, 0.76), _TABLES, shapes.table),
    FurnitureKind("coffee table", (0.5, 0.9, 0.42), (0.6, 1.1, 0.45), _TABLES, shapes.table),
    FurnitureKind("side table", (0.42, 0.42, 0.55), (0.48, 0.5, 0.6), _TABLES, shapes.table),
    FurnitureKind("desk", (0.65, 1.2, 0.74), (0.7, 1.5, 0.76), _TABLES, shapes.desk),
    FurnitureKind(
        "workbench", (0.6, 1.2, 0.86), (0.65, 1.4, 0.9), ((_PINE, _DARK), (_BEECH, _GREY)), decor.workbench
    ),
    FurnitureKind("chair", (0.42, 0.42, 0.88), (0.44, 0.44, 0.94), _CHAIRS, seating.chair),
    FurnitureKind(
        "office chair",
        (0.5, 0.52, 0.98),
        (0.54, 0.56, 1.04),
        ((_DARK, _DARK), ((70, 104, 140), _DARK)),
        seating.office_chair,
    ),
    FurnitureKind("stool", (0.34, 0.34, 0.46), (0.36, 0.36, 0.5), _CHAIRS, seating.stool),
    FurnitureKind("bench", (0.36, 0.9, 0.45), (0.4, 1.1, 0.47), _TABLES, shapes.table),
    FurnitureKind("sofa", (0.85, 1.7, 0.8), (0.92, 2.1, 0.86), _SOFAS, seating.sofa),
    FurnitureKind("armchair", (0.8, 0.85, 0.8), (0.85, 0.95, 0.86), _ARMCHAIRS, seating.sofa),
    FurnitureKind("bed", (2.0, 1.4, 0.9), (2.05, 1.8, 1.0), _BEDDING, seating.bed),
    FurnitureKind("bunk bed", (1.9, 0.95, 1.65), (1.95, 1.05, 1.75), _BUNKS, seating.bunk_bed),
)
_STORAGE = (
    FurnitureKind(
        "tv stand",
        (0.4, 0.95, 0.45),
        (0.45, 1.1, 0.5),
        ((_WALNUT, _DARK), (_WHITE, _GREY), (_OAK, _WALNUT)),
        decor.tv_stand,
    ),
    FurnitureKind(
        "bookshelf", (0.3, 0.8, 1.7), (0.34, 1.1, 1.9), _WOODS, shapes.open_shelf((0.36, 0.72, 1.08))
    ),
    FurnitureKind("shelf", (0.32, 0.8, 0.9), (0.36, 1.1, 1.0), _WOODS, shapes.open_shelf((0.12, 0.5))),
    FurnitureKind("shoe rack", (0.32, 0.7, 0.5), (0.36, 0.9, 0.55), _WOODS, shapes.open_shelf((0.1,))),
    FurnitureKind("cabinet", (0.42, 0.8, 0.8), (0.46, 1.0, 0.95), _WOODS, containers.cabinet(2, (0.1, 0.46))),
    FurnitureKind(
        "filing cabinet",
        (0.46, 0.48, 0.95),
        (0.5, 0.54, 1.05),
        ((_GREY, _DARK), ((96, 118, 110), _DARK), (_STEEL, _GREY)),
        containers.cabinet(1, (0.12, 0.52), drawers=3),
    ),
    FurnitureKind(
        "sideboard", (0.45, 1.0, 0.8), (0.48, 1.1, 0.88), _WOODS, containers.cabinet(2, (0.12, 0.46))
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
    FurnitureKind("chest", (0.48, 0.8, 0.5), (0.54, 0.95, 0.56), _CHESTS, containers.chest),
)
_BATH_AND_LAUNDRY = (
    FurnitureKind("bathtub", (0.75, 1.6, 0.55), (0.8, 1.7, 0.58), _CERAMIC, fixtures.bathtub, tap=True),
    FurnitureKind(
        "shower",
        (0.85, 0.85, 2.0),
        (0.9, 0.95, 2.05),
        ((_WHITE, (150, 186, 196)),),
        fixtures.shower,
        tap=True,
    ),
    FurnitureKind("toilet", (0.66, 0.38, 0.8), (0.68, 0.4, 0.82), _CERAMIC, fixtures.toilet),
    FurnitureKind("washbasin", (0.46, 0.6, 0.85), (0.5, 0.7, 0.88), _CERAMIC, fixtures.washbasin, tap=True),
    FurnitureKind(
        "washing machine", (0.58, 0.6, 0.86), (0.62, 0.62, 0.9), ((_WHITE, _DARK),), appliances.drum_appliance
    ),
    FurnitureKind(
        "dryer", (0.58, 0.6, 0.86), (0.62, 0.62, 0.9), ((_STEEL, (126, 132, 140)),), appliances.drum_appliance
    ),
    FurnitureKind(
        "laundry basket",
        (0.42, 0.55, 0.5),
        (0.46, 0.62, 0.56),
        (((206, 184, 146), _WALNUT), ((226, 222, 212), (96, 130, 150))),
        decor.laundry_basket,
    ),
    FurnitureKind(
        "ironing board",
        (0.38, 1.2, 0.84),
        (0.4, 1.3, 0.88),
        (((120, 150, 190), _GREY), ((190, 130, 120), _GREY)),
        decor.ironing_board,
    ),
)
_DECOR = (
    FurnitureKind("tv", (0.07, 1.1, 1.3), (0.08, 1.25, 1.4), ((_DARK, _DARK),), appliances.tv),
    FurnitureKind(
        "floor lamp", (0.36, 0.36, 1.5), (0.4, 0.4, 1.6), (((238, 226, 198), _DARK),), appliances.floor_lamp
    ),
    FurnitureKind(
        "fan", (0.4, 0.44, 1.15), (0.44, 0.5, 1.3), ((_STEEL, _DARK), (_WHITE, _GREY)), appliances.fan
    ),
    FurnitureKind(
        "heater", (0.24, 0.6, 0.55), (0.26, 0.75, 0.62), ((_WHITE, _DARK), (_STEEL, _DARK)), appliances.heater
    ),
    FurnitureKind(
        "piano", (0.6, 1.3, 1.02), (0.64, 1.4, 1.06), ((_DARK, _WALNUT), (_WALNUT, _DARK)), decor.piano
    ),
    FurnitureKind(
        "coat rack",
        (0.45, 0.45, 1.7),
        (0.5, 0.5, 1.8),
        ((_WALNUT, (70, 90, 120)), (_DARK, (160, 70, 60))),
        decor.coat_rack,
    ),
    FurnitureKind(
        "plant",
        (0.45, 0.45, 1.1),
        (0.5, 0.5, 1.4),
        (((70, 132, 66), (186, 106, 72)), ((90, 150, 90), _WHITE)),
        decor.plant,
    ),
    FurnitureKind(
        "fireplace",
        (0.5, 1.1, 1.3),
        (0.55, 1.3, 1.4),
        (((170, 150, 140), _DARK), (_WHITE, _DARK)),
        decor.fireplace,
    ),
    FurnitureKind("rug", (1.5, 2.0, 0.012), (1.7, 2.4, 0.012), _RUGS, decor.rug, solid=False),
)

FURNITURE: dict[str, FurnitureKind] = {
    kind.name: kind for kind in (*_KITCHEN, *_TABLES_AND_SEATS, *_STORAGE, *_BATH_AND_LAUNDRY, *_DECOR)
}
