"""Folders of the course that a spec names."""

import stat

from grader.core.yaml.value import Value, attach, facts_inside, in_quotes, wrong

_MAX_FILES = 2_000  # as many as a submission may have
_MAX_BYTES = 64 * 2**20  # it is laid beside what is built


def attach_folder(value: Value, name: str) -> dict[str, bytes]:
    """Attach all files in a folder below the course root, and return them by their paths in that folder.

    Notes a problem when it is no folder, is empty, has a link or something else that is no file in it, or is too large.
    """
    root, where, shown = value.context.root, value.context.root / name, in_quotes(name)
    try:
        is_folder = bool(name) and where.is_dir() and where.resolve() == where
        facts = facts_inside(value.context, name) if is_folder else {}
    except OSError as error:
        wrong(value, f"cannot read the folder {shown}: {error.strerror}")
        return {}
    sizes = {path: fact.st_size for path, fact in facts.items() if stat.S_ISREG(fact.st_mode)}
    odd = [path for path in facts if path not in sizes and not stat.S_ISDIR(facts[path].st_mode)]
    link = in_quotes(odd[0].relative_to(root).as_posix()) if odd else ""
    size, most = sum(sizes.values()) / 2**20, _MAX_BYTES // 2**20
    for is_wrong, message in (
        (not is_folder, f"there is no folder {shown} in {root}, or it is a link"),
        (odd, f"{link} is a link or no file: put a file there"),
        (not sizes, f"the folder {shown} has no file in it"),
        (len(sizes) > _MAX_FILES, f"the folder {shown} has {len(sizes)} files: {_MAX_FILES} may be in one"),
        (size > most, f"the folder {shown} has {size:.1f} MiB, which is too large: {most} MiB may be in one"),
    ):
        if is_wrong:
            wrong(value, message)
            return {}
    return {path.relative_to(where).as_posix(): attach(value, path.relative_to(root).as_posix()) for path in sizes}
