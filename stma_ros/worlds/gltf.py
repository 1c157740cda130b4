"""Writes binary glTF 2.0 files."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final

from numpy.typing import NDArray

_MAGIC, _JSON, _BINARY = 0x46546C67, 0x4E4F534A, 0x004E4942
_ARRAY_BUFFER, _INDEX_BUFFER = 34962, 34963
_COMPONENTS: Final[Mapping[str, int]] = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
_SHAPES: Final[Mapping[int, str]] = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


class GlbWriter:
    """Collects materials, meshes and nodes of a file in metres with y up. The same calls give the same bytes."""

    def __init__(self) -> None:
        self._nodes: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._materials: list[Mapping[str, Any]] = []
        self._extensions: list[str] = []
        self._accessors: list[dict[str, Any]] = []
        self._views: list[dict[str, Any]] = []
        self._buffer = bytearray()

    def material(self, description: Mapping[str, Any]) -> int:
        """Returns the index of a material; equal descriptions (in glTF's own form) share one material."""
        if description not in self._materials:
            self._materials.append(dict(description))
            self._extensions = sorted({*self._extensions, *description.get("extensions", ())})
        return self._materials.index(description)

    def primitive(
        self,
        points: NDArray[Any],
        colours: NDArray[Any] | None = None,
        indices: NDArray[Any] | None = None,
        material: int | None = None,
    ) -> dict[str, Any]:
        """Returns a mesh primitive of triangles, for `node`.

        Args:
            points: corners (N, 3), at least one.
            colours: colours of the corners, (N, 3) float32 or (N, 4) uint8, uint16 or float32; integers are normalised
                by the largest value of their type. A row has to fill a multiple of four bytes.
            indices: (T, 3) rows of `points`; None = consecutive corners form the triangles.
            material: index of a material; None = the default one.
        """
        corners = points.astype("<f4")
        bounds = {"min": corners.min(axis=0).tolist(), "max": corners.max(axis=0).tolist()}
        attributes = {"POSITION": self._accessor(corners, bounds, _ARRAY_BUFFER)}
        if colours is not None:
            shares: dict[str, Any] = {} if colours.dtype.kind == "f" else {"normalized": True}
            attributes["COLOR_0"] = self._accessor(colours, shares, _ARRAY_BUFFER)
        described: dict[str, Any] = {"attributes": attributes}
        if indices is not None:
            rows = indices.astype("<u4").reshape(-1, 1)
            described["indices"] = self._accessor(rows, {}, _INDEX_BUFFER)
        return described if material is None else described | {"material": material}

    def node(
        self,
        name: str,
        primitives: Sequence[Mapping[str, Any]] = (),
        *,
        at: Sequence[float] | None = None,
        children: Sequence[int] = (),
        extras: Mapping[str, Any] | None = None,
    ) -> int:
        """Returns the index of a new node, which holds the nodes `children`.

        Args:
            name: name of the node.
            primitives: meshes of `primitive`.
            at: position (3,) in the parent's frame.
            children: indices of nodes.
            extras: entries of glTF's `extras`.
        """
        node: dict[str, Any] = {"name": name}
        if primitives:
            node["mesh"] = len(self._meshes)
            self._meshes.append({"name": name, "primitives": list(primitives)})
        if at is not None:
            node["translation"] = [float(share) for share in at]
        if children:
            node["children"] = list(children)
        if extras is not None:
            node["extras"] = dict(extras)
        self._nodes.append(node)
        return len(self._nodes) - 1

    def packed(self, roots: Sequence[int]) -> bytes:
        """Returns the bytes of the file: a header and two chunks, with `roots` as the nodes of its scene."""
        document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "stma_ros"},
            "scene": 0,
            "scenes": [{"nodes": list(roots)}],
            "nodes": self._nodes,
            "meshes": self._meshes,
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": len(self._buffer)}],
        }
        if self._materials:
            document["materials"] = self._materials
        if self._extensions:
            document["extensionsUsed"] = self._extensions
        text = json.dumps(document, separators=(",", ":"), sort_keys=True, allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        chunks = b"".join(
            struct.pack("<II", len(chunk), kind) + chunk
            for chunk, kind in ((text, _JSON), (bytes(self._buffer), _BINARY))
        )
        return struct.pack("<III", _MAGIC, 2, 12 + len(chunks)) + chunks

    def _accessor(self, rows: NDArray[Any], described: Mapping[str, Any], target: int) -> int:
        kind = f"{rows.dtype.kind}{rows.dtype.itemsize}"
        content = rows.astype(
            f"<{kind}"
        ).tobytes()  # a multiple of four bytes, so that the next accessor stays aligned
        self._views.append(
            {"buffer": 0, "byteOffset": len(self._buffer), "byteLength": len(content), "target": target}
        )
        self._buffer += content
        self._accessors.append(
            {
                "bufferView": len(self._views) - 1,
                "count": len(rows),
                "componentType": _COMPONENTS[kind],
                "type": _SHAPES[rows.shape[1]],
                **described,
            }
        )
        return len(self._accessors) - 1
