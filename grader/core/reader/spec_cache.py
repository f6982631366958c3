"""A cache of parsed files, by content: what reads one takes longer to import than a small program to run.

A cached spec is valid while every file that it names, and the listing of every folder that was read, stays the same. It
is pickled, since it has values of any type.
"""

import functools
import io
import os
import pickle
import sys
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from pathlib import Path, PosixPath
from typing import Any

from msgspec import Struct

from grader.core.cache import Cache, content_digest, file_digests
from grader.core.model import VERSION
from grader.core.model.spec import Repeat, Spec
from grader.core.model.stored_file import ContentsByName, store_file
from grader.core.reader.paths import TOOLCHAINS_NAME, is_file, read_bytes, root_of_spec
from grader.core.yaml.value import names_inside

_PACKAGE = Path(__file__).parents[2]
_OTHERS: tuple[Any, ...] = (Repeat().__reduce__()[0], Fraction, PosixPath, ContentsByName)
"""what makes a cached spec beside the types of its records"""
_READERS = ("core/reader", "core/yaml", "core/comparators", "core/model", "kinds")
"""the folders of our own source on which it depends what is read"""


@functools.cache
def read_data_cached(path: Path, store: Cache) -> Any:
    """Return what `read_data` reads of a file of our own, once, and out of the cache when the file is the same."""
    key = ["data", VERSION, path.name, content_digest(path.read_bytes())]
    return store.get_or_make(key, dict[str, Any], lambda: import_module("grader.core.reader.files").read_data(path))


def load_cached(path: Path, cache: Cache) -> Spec:
    """Return the spec as `load` does, out of the cache when nothing has changed since it was loaded."""
    data, root = read_bytes(path), root_of_spec(path)
    key = ["spec", VERSION, sys.version, _source(), str(root), is_file(root / TOOLCHAINS_NAME), content_digest(data)]
    cached = _read_back(cache.look_up(key, bytes) or b"")
    if cached is not None and _is_unchanged(root, *cached[1:]):
        return cached[0]
    listings: dict[str, tuple[str, ...]] = {}
    spec: Spec = import_module("grader.core.reader.spec").read(data, str(path), root, listings)
    if not spec.packaged:  # a package may change, and the spec stays the same
        cache.store(key, pickle.dumps((spec, file_digests(spec.attached), listings), 5))
    return spec


def _source() -> list[tuple[str, int]]:
    """Return facts that identify our own source: during development the version stays the same."""
    places = (place for folder in _READERS for place in os.walk(_PACKAGE / folder))
    paths = sorted(f"{place}/{name}" for place, _, names in places for name in names if name.endswith(".py"))
    return [(path, os.stat(path).st_mtime_ns) for path in paths]  # noqa: PTH116 - a `Path` takes twice as long


class _Reader(pickle.Unpickler):
    """Reads records of ours, and what they hold: nothing that could do anything."""

    def find_class(self, module: str, name: str) -> Any:
        is_ours = module.startswith(("grader.core.", "grader.kinds."))
        found = vars(import_module(module))[name] if is_ours else getattr(sys.modules[module], name)
        if found in _OTHERS or (is_ours and isinstance(found, type) and issubclass(found, Struct)):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a spec")


def _read_back(written: bytes) -> tuple[Spec, Mapping[str, str], Mapping[str, tuple[str, ...]]] | None:
    """Return a spec, the digests of its files and the listings; None for what holds anything that no spec does."""
    with suppress(pickle.UnpicklingError, ImportError, LookupError, TypeError, ValueError, EOFError, AttributeError):
        spec, files, listings = _Reader(io.BytesIO(written)).load()
        return (spec, files, listings) if isinstance(spec, Spec) else None
    return None


def _is_unchanged(root: Path, files: Mapping[str, str], listings: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether files have these digests, and folders these entries."""
    with suppress(OSError):
        paths = [((root / name).resolve(), digest) for name, digest in files.items()]
        return all(names_inside(root, folder) == names for folder, names in listings.items()) and all(
            path.is_relative_to(root) and path.is_file() and store_file(path).digest == digest for path, digest in paths
        )
    return False
