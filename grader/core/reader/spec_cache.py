"""A cache of parsed specs, by content: parsing one takes as long as a case.

The key of a spec is its bytes, the path of its course, our own source and the version of Python. It is valid only while
every file that it names, and the listing of every folder that was read, stays the same. Otherwise the spec is loaded
again. It is pickled, since it has values of any type. Unpickling accepts only records of the model, whatever a file in
the cache may ask for.
"""

import io
import os
import pickle
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from pathlib import Path, PosixPath
from typing import Any

from msgspec import Struct

from grader.core.cache import Cache, content_digest, file_digests
from grader.core.errors import HostError
from grader.core.model import VERSION
from grader.core.model.spec import Repeat, Spec
from grader.core.model.stored_file import ContentsByName, store_file
from grader.core.model.values import PlainValue
from grader.core.reader.paths import TOOLCHAINS_NAME, is_file, read_bytes, root_of_spec
from grader.core.yaml.value import names_inside
from grader.kinds import kinds_in

_PACKAGE = Path(__file__).parents[2]
_READERS = ("core/reader", "core/yaml", "core/comparators", "core/model", "kinds")
"""the folders of our own source on which it depends what is read"""
_REBUILD: Any = Repeat().__reduce__()[0]
_OTHERS: Mapping[tuple[str, str], Any] = {
    (maker.__module__, maker.__name__): maker for maker in (_REBUILD, Fraction, PosixPath, ContentsByName)
}
"""the types of a cached spec other than records of the model"""


class _CachedSpec(Struct, frozen=True, kw_only=True):
    """A spec with all its dependencies other than its own bytes."""

    files: Mapping[str, str]
    """name -> digest of its content"""
    listings: Mapping[str, tuple[str, ...]]
    """folder -> what was in it"""
    written: bytes


def load_cached(path: Path, cache: Cache) -> Spec:
    """Return the spec as `load` does, out of the cache when nothing has changed since it was loaded."""
    data, root = read_bytes(path), root_of_spec(path)
    has_languages = is_file(root / TOOLCHAINS_NAME)
    key = ["spec", VERSION, sys.version, list(_source()), str(root), has_languages, content_digest(data)]
    cached = cache.look_up(key, _CachedSpec)
    if cached is not None and _is_as_it_was(cached, root) and (known := _read_back(cached.written)) is not None:
        return known
    listings: dict[str, tuple[str, ...]] = {}
    spec: Spec = import_module("grader.core.reader.spec").read(data, str(path), root, listings)
    cached = _CachedSpec(files=file_digests(spec.attached), listings=listings, written=pickle.dumps(spec, 5))
    # An installed package may change while the spec stays the same.
    is_packaged = any(kind.packaged(spec) for kind in kinds_in(spec))
    if not is_packaged and _read_back(cached.written) == spec:
        cache.store(key, cached)
    return spec


def load_generated(spec: Spec, seed: str) -> Spec:
    """Return the spec read once more, with the values that a seed generates; the result is not cached.

    Raises HostError when files that it names have changed meanwhile.
    """
    if not seed:
        return spec
    again: Spec = import_module("grader.core.reader.spec").read(spec.source_text, spec.id, spec.root, seed=seed)
    if again.digest != spec.digest:
        raise HostError(f"files that the spec {spec.id} names have changed while it was used: start again")
    return again


def can_be_given(value: PlainValue, kind: str) -> bool:
    """Whether a value can be given for a type, as `fits` decides, which is imported lazily."""
    return bool(import_module("grader.kinds.functions.read_values").fits(value, kind))


def _source() -> Iterator[tuple[str, int, int]]:
    """Yield facts that identify our own source: during development the version stays the same.

    There are hundreds of modules, and a student waits: each as a `Path` would take twice as long.
    """
    start = len(os.fspath(_PACKAGE)) + 1
    for folder in _READERS:
        for place, folders, names in os.walk(_PACKAGE / folder):
            folders.sort()
            for name in sorted(names):
                if name.endswith(".py"):
                    facts = os.stat(f"{place}/{name}")  # noqa: PTH116 - see above
                    yield f"{place[start:]}/{name}", facts.st_size, facts.st_mtime_ns


def _is_as_it_was(cached: _CachedSpec, root: Path) -> bool:
    with suppress(OSError):
        return all(names_inside(root, folder) == names for folder, names in cached.listings.items()) and all(
            _digest_of(root, name) == digest for name, digest in cached.files.items()
        )
    return False


def _digest_of(root: Path, name: str) -> str:
    """Return the digest of a file of the course; none of what would not be read when the spec is."""
    path = (root / name).resolve()
    readable = path.is_relative_to(root) and path.is_file()
    return store_file(path).digest if readable else ""


class _Reader(pickle.Unpickler):
    """Reads records of the model, and what they hold, and nothing that could do anything."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _OTHERS:
            return _OTHERS[module, name]
        is_record = module.startswith(("grader.core.model.", "grader.core.comparators.")) or (
            module.startswith("grader.kinds.") and module.endswith(".model")
        )
        if not is_record:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a spec")
        found = vars(import_module(module))[name]
        if isinstance(found, type) and issubclass(found, Struct):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a spec")


def _read_back(written: bytes) -> Spec | None:
    """Return the spec that was written; None for what holds anything that no spec does."""
    with suppress(pickle.UnpicklingError, ImportError, LookupError, TypeError, ValueError, EOFError):
        spec = _Reader(io.BytesIO(written)).load()
        return spec if isinstance(spec, Spec) else None
    return None
