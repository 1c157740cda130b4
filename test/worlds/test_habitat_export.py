"""The flat as a data set of habitat-sim: the files contain the whole flat, once for each state."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from stma_ros.types.errors import StorageError
from stma_ros.worlds.habitat import flat_stage
from stma_ros.worlds.habitat.export.dataset import HIDDEN, MARK, ExportedFlat, export_flat
from stma_ros.worlds.habitat.export.folder import keep_latest
from stma_ros.worlds.habitat.export.grain import grained_floors
from stma_ros.worlds.habitat.export.shading import both_sides, refined
from stma_ros.worlds.house.flat import Flat, Furniture
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.meshes import Mesh, box, merge, quad
from stma_ros.worlds.robot.scene import is_in_view
from support.worlds.exported_files import DataSet, Drawn, read_glb

FLAT = make_flat(1004, 5)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> ExportedFlat:
    return export_flat(FLAT, tmp_path_factory.mktemp("exported") / "flat")


@pytest.fixture(scope="module")
def files(exported: ExportedFlat) -> DataSet:
    return DataSet(exported.dataset.parent)


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def corners_of(mesh: Mesh) -> NDArray[np.float64]:
    """Returns the corners of the triangles that have an area."""
    corners = mesh.vertices[mesh.triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    return corners[areas > 1e-10]


def same_triangles(found: NDArray[np.float64], wanted: NDArray[np.float64]) -> None:
    """Checks that the triangles agree within a millimetre; each may occur twice, to be visible from both sides."""
    assert len(wanted) <= len(found) <= 2 * len(wanted)
    ones, others = found.mean(axis=1), wanted.mean(axis=1)
    for middles, among in ((ones, others), (others, ones)):
        assert cKDTree(among).query(middles)[0].max() < 1e-3


def triangles_in(files: DataSet, exported: ExportedFlat, owner: str, states: set[str]) -> NDArray[np.float64]:
    """Returns the triangles of an object in these states, at its place in the scene."""
    found = [
        files.in_scene(one.name, files.drawn(one.name).corners, 0.0 if one.shown else HIDDEN)
        for one in exported.objects
        if one.owner == owner and (not one.state or one.state in states)
    ]
    return np.concatenate(found)


def lifelike(flat: Flat) -> Iterator[tuple[str, set[str], Mesh]]:
    """Yields every object of a flat in opposite states, with the mesh that the house draws."""
    for is_open, on in ((False, False), (True, True)):
        states = {"open" if is_open else "closed", "on" if on else "off", "full" if on else "empty"}
        for piece in flat.furniture:
            yield piece.name, states, merge([piece.mesh(is_open, on), piece.glow(on)])
        for door in flat.doors:
            yield door.name, states, door.mesh(is_open)
        for item in flat.items:
            spot = flat.initial.spots[item.name]
            yield item.name, states, merge([item.mesh_at(spot, full=on), item.glow_at(spot, on=on)])


def test_exported_objects_have_the_meshes_of_the_house_in_every_state(
    files: DataSet, exported: ExportedFlat
) -> None:
    checked = set()
    for owner, states, mesh in lifelike(FLAT):
        same_triangles(triangles_in(files, exported, owner, states), corners_of(mesh))
        checked.add(owner)
    assert checked == {one.owner for one in exported.objects}


def test_every_file_referenced_by_the_export_exists(files: DataSet, exported: ExportedFlat) -> None:
    for path in files.folder.rglob("*.json"):
        config = json.loads(path.read_text())
        for key in ("render_asset", "collision_asset", "semantic_asset", "semantic_descriptor_filename"):
            assert key not in config or (path.parent / config[key]).is_file()
    scene = files.document("scenes/*.scene_instance.json")
    assert (files.folder / f"{scene['stage_instance']['template_name']}.stage_config.json").is_file()
    assert (files.folder / f"{scene['semantic_scene_instance']}.semantic_config.json").is_file()
    templates = {f"objects/{name}.object_config.json" for name in files.instances}
    assert templates == {name for name in content(files.folder) if name.endswith(".object_config.json")}
    for kind in files.document("*.scene_dataset_config.json").values():
        for folder in kind["paths"][".json"]:
            assert any((files.folder / folder).glob("*.json"))
    assert exported.scene in files.one("scenes/*").name
    assert exported.dataset.is_absolute()


@settings(max_examples=6, deadline=None)
@given(st.integers(1000, 2000))
def test_the_exported_scene_is_the_flat_at_the_start_of_an_episode(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    flat = make_flat(seed)
    exported = export_flat(flat, tmp_path_factory.mktemp("seed") / "flat")
    files = DataSet(exported.dataset.parent)
    names = [one.name for one in exported.objects]
    assert sorted(names) == sorted(files.instances)
    assert not [name for name in names for other in names if name != other and name in other]
    shown = defaultdict(set)
    for one in exported.objects:
        instance, said = files.instances[one.name], files.config(one.name)["user_defined"]
        x, y, z = one.position
        assert instance["translation"] == [x, y - HIDDEN * (not one.shown), z]
        assert tuple(instance["rotation"]) == one.rotation
        assert instance["user_defined"] == {"shown": one.shown}
        assert (said["name"], said["of"]) == (one.name, one.owner)
        assert (said["category"], said["state"]) == (one.category, one.state)
        if one.shown:
            shown[one.owner].add(one.state)
    now = flat.initial
    for piece in (*flat.furniture, *flat.doors):
        assert shown[piece.name] <= {"", *states_of(piece.name, flat)}
        assert "" in shown[piece.name]
        front = {one.state for one in exported.objects if one.owner == piece.name} & {"open", "closed"}
        assert bool(front) == piece.opens
        assert front <= {"open", "closed"}
        assert shown[piece.name] & front == front & states_of(piece.name, flat)
    for item in flat.items:
        assert ("" in shown[item.name]) == is_in_view(flat, item, now)


def states_of(name: str, flat: Flat) -> set[str]:
    now = flat.initial
    return {
        "open" if name in now.open_names else "closed",
        "on" if name in now.on_names else "off",
        "full" if name in now.full_names else "empty",
    }


def test_exported_obstacles_of_the_base_are_solid_and_static(files: DataSet, exported: ExportedFlat) -> None:
    bodies = {one.owner: one.name for one in exported.objects if not one.state}
    wanted: dict[str, list[NDArray[np.float64]]] = {name: [] for name in bodies}
    for thing in FLAT.fixed:
        obstacles = thing.obstacles(False)[
            : 1 if isinstance(thing, Furniture) else 2
        ]  # not the leaf of a door
        wanted[thing.name] = [
            np.array([(o.bounds.x0, o.bounds.y0), (o.bounds.x1, o.bounds.y1)]) for o in obstacles
        ]
    for owner, name in bodies.items():
        solids = files.solids(name)
        assert files.config(name)["is_collidable"] == bool(solids)
        assert files.instances[name]["motion_type"] == ("static" if solids else "kinematic")
        assert len(solids) == len(wanted[owner])
        for solid, bounds in zip(solids, wanted[owner], strict=True):
            at = files.in_scene(name, solid.corners).reshape(-1, 3)
            low, high = at.min(axis=0), at.max(axis=0)
            np.testing.assert_allclose([low[:2], high[:2]], bounds, atol=1e-5)
            assert low[2] == pytest.approx(0.0)
            thing = FLAT.fixed_by_name[owner]
            top = thing.box.high if isinstance(thing, Furniture) else 2.05
            assert high[2] == pytest.approx(top, abs=1e-5)
    changing = [one for one in exported.objects if one.state]
    assert changing
    for one in changing:
        assert files.instances[one.name]["motion_type"] == "kinematic"
        assert files.config(one.name)["is_collidable"] is False


def test_only_floors_of_the_export_are_walkable(files: DataSet, exported: ExportedFlat) -> None:
    """A navmesh continues on every wide enough level face that looks up."""
    static = [name for name, found in files.instances.items() if found["motion_type"] == "static"]
    for name in static:
        for solid in files.solids(name):
            crosses = solid.crosses
            up = crosses[:, 1] / np.linalg.norm(crosses, axis=1)
            assert up.max() < 0.01
            layers = np.unique(solid.corners[up < -0.99][..., 1].round(6))
            assert np.diff([0.0, *layers]).max() < 0.6  # a person does not fit between them
            assert layers[0] >= 0.25  # too high to step onto
    stage = read_glb(files.one("stages/*.glb"))
    rooms = range(len(FLAT.layout.rooms))
    assert set(stage) == {f"{kind} {room}" for kind in ("floor", "wall", "ceiling") for room in rooms}
    for room in rooms:
        assert (stage[f"floor {room}"].crosses[:, 1] > 0).all()
        assert (stage[f"ceiling {room}"].crosses[:, 1] < 0).all()
        walls = stage[f"wall {room}"]
        facing_up = walls.corners[walls.crosses[:, 1] > 0]
        assert len(facing_up)
        edges = np.linalg.norm(facing_up - np.roll(facing_up, 1, axis=1), axis=2)
        areas = walls.crosses[walls.crosses[:, 1] > 0, 1]
        assert (areas / edges.max(axis=1)).max() < 0.2


def test_the_exported_building_is_annotated_by_room(files: DataSet, exported: ExportedFlat) -> None:
    header, *lines = files.one("semantics/*.txt").read_text().splitlines()
    assert header == "HM3D Semantic Annotations"
    rows = [line.split(",") for line in lines]
    by_colour = {row[1]: row for row in rows}
    assert len(by_colour) == len(rows) == 3 * len(FLAT.layout.rooms)
    assert "000000" not in by_colour
    assert {int(row[0]): row[2].strip('"') for row in rows} == exported.surfaces
    drawn = read_glb(files.one("stages/*.glb"))
    annotated = read_glb(files.one("semantics/*.glb"))
    assert set(annotated) == set(drawn)
    for name, node in annotated.items():
        assert node.colours.dtype == np.float32
        (colour,) = np.unique(node.colours.reshape(-1, 3), axis=0)
        light = np.where(colour <= 0.0031308, colour * 12.92, 1.055 * colour ** (1 / 2.4) - 0.055)
        _, _, category, region = by_colour["".join(f"{round(255 * float(share)):02X}" for share in light)]
        floor = FLAT.layout.rooms[int(region)].floor
        x, y = node.corners[..., 0].ravel(), -node.corners[..., 2].ravel()
        assert all(floor.distance(*at) < 0.15 for at in zip(x, y, strict=True))
        assert name == f"{category.strip(chr(34))} {region}"
        # The same surface, though what is drawn has boards, tiles, and places for the light.
        if name.startswith("floor"):
            continue
        looks = [np.abs(each.crosses).sum(axis=0) / 2 for each in (node, drawn[name])]
        np.testing.assert_allclose(*looks, rtol=0.02, atol=0.02)


def test_exported_regions_are_the_rooms(files: DataSet) -> None:
    regions = files.document("semantics/*.semantic_config.json")["region_annotations"]
    assert [region["label"] for region in regions] == [room.kind for room in FLAT.layout.rooms]
    for region, room in zip(regions, FLAT.layout.rooms, strict=True):
        (x0, _, z0), (x1, _, z1) = region["min_bounds"], region["max_bounds"]
        assert (x0, -z1, x1, -z0) == pytest.approx(astuple(room.floor.bounds))


def test_baked_light_preserves_hues_and_comes_from_the_lamp(files: DataSet, exported: ExportedFlat) -> None:
    shining = {one.name for one in exported.objects if one.state == "on"}
    assert shining
    lights = []  # on all that is not dark: there, rounding says little
    for piece in FLAT.furniture:
        painted = {tuple(colour) for colour in np.unique(piece.mesh(True, True).colours, axis=0)}
        for one in exported.objects:
            if one.owner == piece.name and one.name not in shining and not one.state:
                for shown in np.unique(files.drawn(one.name).colours.reshape(-1, 4)[:, :3], axis=0):
                    light = light_on(shown, painted)
                    lights += [light] if shown.max() > 100 else []
    assert min(lights) > 0.54
    assert max(lights) - min(lights) > 0.25  # what looks away from the lamp is darker
    for one in exported.objects:
        if one.name in shining and one.owner in FLAT.furniture_by_name:
            glow = FLAT.furniture_by_name[one.owner].glow(True).colours
            found = files.drawn(one.name).colours.reshape(-1, 4)[:, :3]
            assert {tuple(row) for row in glow.tolist()} <= {tuple(row) for row in found.tolist()}


def light_on(shown: NDArray[np.uint8], painted: set[tuple[int, ...]]) -> float:
    """Returns the share of a painted colour that is shown, of the darkest one that it may be; fails where the hue is
    that of no colour."""
    lights = [
        light
        for colour in painted
        for light in [float(shown.max()) / max(colour)]
        if np.abs(np.array(colour) * light - shown).max() <= 1.0 and 0.5 < light <= 1.0
    ]
    assert lights, f"{shown} is none of {painted} in some light"
    return max(lights)


def test_exported_floors_have_boards_and_tiles_without_gaps() -> None:
    grained = grained_floors(FLAT.layout)
    corners = grained.vertices[grained.triangles]
    level = (corners[..., 2] == 0.0).all(axis=1)
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    wanted = sum(room.floor.area for room in FLAT.layout.rooms)
    wanted += sum(4 * d.opening.half_x * d.opening.half_y for d in FLAT.layout.doorways)
    assert areas[level].sum() == pytest.approx(wanted, rel=1e-3)
    assert corners[~level][..., 2].min() > -0.005
    middles = corners.mean(axis=1)
    for room in FLAT.layout.rooms:
        inside = [level[k] and room.floor.contains(x, y) for k, (x, y, _) in enumerate(middles)]
        assert (
            len(np.unique(grained.colours[inside], axis=0)) >= 3
        )  # joints, and two kinds of pieces at least


def test_refining_a_mesh_preserves_its_surface() -> None:
    mesh = grained_floors(FLAT.layout)
    fine = refined(mesh, 0.5)
    before, after = mesh.vertices[mesh.triangles], fine.vertices[fine.triangles]
    edges = np.linalg.norm(after - np.roll(after, 1, axis=1), axis=2)
    areas = np.linalg.norm(np.cross(after[:, 1] - after[:, 0], after[:, 2] - after[:, 0]), axis=1) / 2
    assert ((edges.max(axis=1) <= 0.5) | (areas <= 0.25)).all()
    assert len(after) > len(before)
    for colour in np.unique(mesh.colours, axis=0):
        one, two = (
            np.cross(c[:, 1] - c[:, 0], c[:, 2] - c[:, 0])[(colours == colour).all(axis=1)].sum(axis=0)
            for c, colours in ((before, mesh.colours), (after, fine.colours))
        )
        np.testing.assert_allclose(one, two, atol=1e-9)


@given(st.floats(-3, 3), st.floats(0.1, 2), st.booleans())
def test_closed_meshes_are_visible_from_outside_and_open_ones_from_both_sides(
    at: float, size: float, inside_out: bool
) -> None:
    body = box((at, 0.0, 0.0), (size, 1.0, 1.0), (9, 9, 9))
    if inside_out:
        body = Mesh(body.vertices, body.triangles[:, ::-1], body.colours)
    sheet = quad([(5.0, 0.0, 0.0), (6.0, 0.0, 0.0), (6.0, 1.0, 0.0), (5.0, 1.0, 0.0)], (7, 7, 7))
    seen = both_sides(merge([sheet, body]))
    corners = seen.vertices[seen.triangles]
    crosses = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    of_body = (seen.colours == 9).all(axis=1)
    assert of_body.sum() == 12
    outwards = corners[of_body].mean(axis=1) - (at, 0.0, 0.0)
    assert ((crosses[of_body] * outwards).sum(axis=1) > 0).all()
    assert sorted(np.sign(crosses[~of_body][:, 2])) == [-1, -1, 1, 1]


def test_exported_receptacles_are_at_the_surfaces_that_hold_objects(
    files: DataSet, exported: ExportedFlat
) -> None:
    bodies = {one.owner: one.name for one in exported.objects if not one.state}
    for item in FLAT.items:
        spot = FLAT.initial.spots[item.name]
        said = files.config(bodies[spot.support])["user_defined"]
        boxes = [
            (np.array(box["position"]), np.array(box["scale"]))
            for key, box in said.items()
            if key.startswith("receptacle_aabb_") and box["inside"] == spot.inside
        ]
        at = np.array([spot.x, spot.y, spot.z])
        held = []
        for middle, half in boxes:
            origin, *ends = files.in_scene(
                bodies[spot.support], middle + np.vstack([np.zeros(3), np.diag(half)])
            )
            axes = np.array(ends) - origin
            lengths = np.linalg.norm(axes, axis=1)
            along = np.abs(axes @ (at - origin)) / lengths
            held.append(bool((along <= lengths + 0.01).all()))
        assert any(held), (item.name, spot)
        about = files.config(bodies[item.name])["user_defined"]
        assert (about["support"], about["inside"]) == (spot.support, spot.inside)
        assert about["room"] == FLAT.layout.rooms[FLAT.furniture_by_name[spot.support].room].kind
        assert (about["vessel"], about["device"]) == (item.is_vessel, item.is_device)


def test_exported_metadata_use_only_types_that_habitat_reads(files: DataSet) -> None:
    def check(value: object) -> None:
        if isinstance(value, dict):
            for one in value.values():
                check(one)
        elif isinstance(value, list):
            assert len(value) == 3
            assert all(isinstance(one, float) for one in value)
        else:
            assert isinstance(value, (bool, int, float, str))

    for name in files.instances:
        check(files.config(name)["user_defined"])


def test_open3d_reads_the_exported_meshes(files: DataSet) -> None:
    o3d = pytest.importorskip("open3d", reason="reads GLB files: pip install 'stma_ros[house]'")
    piece = FLAT.furniture[0]
    name = next(name for name in files.instances if files.config(name)["user_defined"]["of"] == piece.name)
    mesh = o3d.io.read_triangle_mesh(str(files.folder / "objects" / f"{name}.glb"))
    read = files.drawn(name)
    assert len(mesh.triangles) == len(read.corners)
    found = np.asarray(mesh.vertices)[np.asarray(mesh.triangles)]
    same_triangles(found, read.corners)
    sizes = piece.size[0], piece.size[2], piece.size[1]
    np.testing.assert_allclose(np.ptp(found.reshape(-1, 3), axis=0), sizes, atol=0.1)


def test_an_export_in_another_process_has_the_same_bytes(files: DataSet, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path;"
        "from stma_ros.worlds.habitat.export.dataset import export_flat;"
        "from stma_ros.worlds.house.furnishing.item_placement import make_flat;"
        "export_flat(make_flat(1004, 5), Path(sys.argv[1]))"
    )
    again = tmp_path / "again"
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-c", program, str(again)], check=True, env=environment, timeout=120)
    assert content(again) == content(files.folder)


def test_a_killed_export_is_not_taken_for_a_complete_one(files: DataSet, tmp_path: Path) -> None:
    program = """
import os, signal, sys
from pathlib import Path
from stma_ros.worlds.habitat.export.dataset import export_flat
from stma_ros.worlds.house.furnishing.item_placement import make_flat
left = [60]
write = Path.write_bytes
def dying(path, content):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return write(path, content)
Path.write_bytes = dying
export_flat(make_flat(1004, 5), Path(sys.argv[1]))
"""
    folder = tmp_path / "flat"
    killed = subprocess.run([sys.executable, "-c", program, str(folder)], timeout=120)
    assert killed.returncode == -signal.SIGKILL
    assert any(tmp_path.rglob("*.glb"))
    assert not folder.exists()
    export_flat(FLAT, folder)
    assert content(folder) == content(files.folder)


def test_a_complete_export_is_left_unchanged_and_a_damaged_one_is_repeated(tmp_path: Path) -> None:
    folder = tmp_path / "flat"
    first = export_flat(FLAT, folder)
    before, times = content(folder), {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert export_flat(FLAT, folder) == first
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == times
    for damage in (Path.unlink, lambda path: path.write_bytes(path.read_bytes()[:-4])):
        damage(next((folder / "objects").glob("*.glb")))
        export_flat(FLAT, folder)
        assert content(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["flat"]


def test_data_sets_that_were_used_last_are_kept_and_nothing_else_is_deleted(tmp_path: Path) -> None:
    for name, used in (("a", 3), ("b", 1), ("c", 2), ("mine", 0)):
        (tmp_path / name / "scenes").mkdir(parents=True)
        (tmp_path / name / ("notes.txt" if name == "mine" else MARK)).write_text("")
        os.utime(tmp_path / name, (used, used))
    for _ in range(2):
        keep_latest(2, tmp_path, MARK)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "c", "mine"]


def test_exported_flats_are_bounded_in_the_users_cache_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(flat_stage, "KEPT", 1)
    other = make_flat(1005, 3)
    for folder, stays in (("", False), (str(tmp_path / "named"), True)):
        first, second = flat_stage.exported_flat(other, folder), flat_stage.exported_flat(FLAT, folder)
        assert first.dataset.exists() == stays
        assert second.dataset.exists()


def test_an_export_replaces_that_of_another_flat(files: DataSet, tmp_path: Path) -> None:
    folder = tmp_path / "flat"
    export_flat(make_flat(1005, 3), folder)
    export_flat(FLAT, folder)
    assert content(folder) == content(files.folder)


def test_an_export_into_a_foreign_folder_is_refused_and_leaves_it_unchanged(tmp_path: Path) -> None:
    folder = tmp_path / "flat"
    folder.mkdir()
    (folder / "other.scene_dataset_config.json").write_text("{}")
    with pytest.raises(StorageError, match="something else"):
        export_flat(FLAT, folder)
    assert content(tmp_path) == {"flat/other.scene_dataset_config.json": b"{}"}
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="file"):
        export_flat(FLAT, tmp_path / "file" / "flat")


def test_every_exported_object_has_triangles(files: DataSet) -> None:
    for name in files.instances:
        drawn: Drawn = files.drawn(name)
        assert len(drawn.corners)
        assert (np.linalg.norm(drawn.crosses, axis=1) > 0).all()
