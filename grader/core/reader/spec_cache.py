"""A cache of parsed files, by content and what else was read: a parser takes longer to import than a run takes."""

import functools
import io
import os
import pickle
import sys
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from pathlib import Path, PosixPath
from typing import Any

from msgspec import Struct

from grader.core.cache import Cache, content_digest, file_digests, user_cache
from grader.core.lazy import lazy_call
from grader.core.model import VERSION
from grader.core.model.layout import ContentsByName, store_file
from grader.core.model.spec import Repeat, Spec
from grader.core.yaml.value import TOOLCHAINS_NAME, is_file, names_inside, read_bytes, root_of_spec

_read_data = lazy_call("grader.core.reader.files", "read_data")
_read_configuration = lazy_call("grader.core.reader.files", "read_configuration")
_READERS = ("core/reader", "core/yaml", "core/comparators", "core/model", "kinds")  # what is read depends on them
_OTHERS: Any = (Repeat().__reduce__()[0], Fraction, PosixPath, ContentsByName)  # in a cached spec, beside our records


@functools.cache
def read_data_cached(path: Path, store: Cache) -> Any:
    """Return what `read_data` reads in a file of our own, cached as long as the file is the same."""
    key = ["data", VERSION, path.name, content_digest(content := path.read_bytes())]
    return store.get_or_make(key, dict[str, Any], lambda: _read_data(path, content))


def read_configuration_cached(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return what `read_configuration` reads in a `grader.yaml`, as `read_data_cached` does; nothing without a file."""
    if not is_file(path):
        return "", ()
    key = ["configuration", VERSION, _source(), content_digest(content := read_bytes(path))]  # a save may come now
    return user_cache().get_or_make(key, tuple[str, tuple[str, ...]], lambda: _read_configuration(path, content))


def load_cached(path: Path, cache: Cache) -> Spec:
    """Return the spec as `load` does, out of the cache when nothing has changed since it was loaded."""
    data, root = read_bytes(path), root_of_spec(path)
    key = ["spec", VERSION, sys.version, _source(), str(root), is_file(root / TOOLCHAINS_NAME), content_digest(data)]
    if cached := _read_back(cache.look_up(key, bytes) or b"", root):
        return cached
    listings: dict[str, tuple[str, ...]] = {}
    spec: Spec = import_module("grader.core.reader.spec").read(data, str(path), root, listings)
    if not spec.packaged:  # a package may change, and the spec stays the same
        cache.store(key, pickle.dumps((spec, file_digests(spec.attached), listings), 5))
    return spec


@functools.cache
def _source() -> list[tuple[str, int]]:
    """Return facts that identify our own source: during development the version stays the same."""
    places = (place for folder in _READERS for place in os.walk(Path(__file__).parents[2] / folder))
    paths = sorted(f"{place}/{name}" for place, _, names in places for name in names if name.endswith(".py"))
    return [(path, os.stat(path).st_mtime_ns) for path in paths]  # noqa: PTH116 - a `Path` takes twice as long


class _Reader(pickle.Unpickler):
    """Reads records of ours, and what they hold: nothing that could do anything."""

    def find_class(self, module: str, name: str) -> Any:
        is_ours = module.startswith(("grader.core.", "grader.kinds."))
        value = vars(import_module(module))[name] if is_ours else getattr(sys.modules[module], name)
        if value in _OTHERS or (is_ours and isinstance(value, type) and issubclass(value, Struct)):
            return value
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a spec")


def _read_back(written: bytes, root: Path) -> Spec | None:
    """Return a spec; None where a file or listing has changed, and for what holds anything that no spec does."""
    damaged = pickle.UnpicklingError, ImportError, LookupError, TypeError, ValueError, EOFError, AttributeError
    with suppress(OSError, *damaged):
        spec, files, listings = _Reader(io.BytesIO(written)).load()
        same = (is_file(root / name) and store_file(root / name).digest == digest for name, digest in files.items())
        is_same = all(names_inside(root, folder) == names for folder, names in listings.items()) and all(same)
        return spec if is_same and isinstance(spec, Spec) else None
    return None
