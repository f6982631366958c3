"""Languages as data: `build/toolchains.yaml`, and what a course's own such file changes; and where their tools are."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from grader.core.errors import HostError
from grader.core.model.spec import Toolchain
from grader.core.model.values import decodable

TOOLCHAINS_FILE = Path(__file__).parent / "build" / "toolchains.yaml"  # whose mapping `toolchain` takes
SYSTEM_PATH = "/usr/bin:/bin"  # the folders in which tools are looked up, here and in the sandbox
_BY_KEY = ("limits", "build_limits", "build_env", "env")  # keys of which an entry can change a part


def with_own(data: Any, own: Mapping[str, Any]) -> Any:
    """Lay what a course says of languages over the mapping of `TOOLCHAINS_FILE`."""
    return {**data, **{name: _laid_over(data.get(name, {}), entry) for name, entry in own.items()}} if own else data


def _laid_over(base: Mapping[str, Any], entry: Mapping[str, Any]) -> Mapping[str, Any]:
    by_key = {name: {**base[name], **entry[name]} for name in _BY_KEY if name in base and name in entry}
    return {**base, **entry, **by_key}


def toolchain(name: str, data: Any) -> Toolchain:
    """Return the language `name` out of the mapping of `TOOLCHAINS_FILE`; HostError when it is not (rightly) there."""
    entry = data.get(name) if isinstance(data, Mapping) else None
    if not isinstance(entry, Mapping):
        raise HostError(f"{TOOLCHAINS_FILE} has no language {name}; add it, or install grader anew")
    title = {"title": name.capitalize()}
    if like := entry.get("like"):
        base = data.get(like)
        if not isinstance(base, Mapping) or "like" in base:
            raise HostError(f"{TOOLCHAINS_FILE}: {name}: it is to be like {like}, which has to stand by itself")
        entry = _laid_over({**base, **title, "template": {}}, entry)
    try:
        return msgspec.convert({**title, **entry, "name": name}, decodable(Toolchain), strict=False)
    except msgspec.ValidationError as error:
        raise HostError(f"{TOOLCHAINS_FILE}: {name}: {error}") from error


def shown_paths(toolchains: Iterable[Toolchain]) -> tuple[str, ...]:
    """Return the paths that programs need to see, of all languages: the reference may be in another language."""
    return tuple(dict.fromkeys(path for toolchain in toolchains for path in toolchain.show))


def locate_tool(name: str, path: str | None = None) -> Path | None:
    """Return where a tool is on the `path`, which is `SYSTEM_PATH` unless another is named; None when it is nowhere."""
    tools = (Path(folder, name) for folder in ([""] if "/" in name else (path or SYSTEM_PATH).split(":")))
    return next((tool for tool in tools if os.path.isfile(tool) and os.access(tool, os.X_OK)), None)  # noqa: PTH113


def find_tool(name: str, package: str) -> Path:
    """Return where a tool is; raises HostError, with the Debian package to install, when it is missing."""
    if tool := locate_tool(name):
        return tool
    raise HostError(f"{name} is missing from {SYSTEM_PATH}; install it" + (package and f" (apt-get install {package})"))
