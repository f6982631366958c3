"""The outer sandbox of level `full`: Linux namespaces through bubblewrap.

The protection is what the argument list says: a root of read-only system folders and nothing of the host's homes or of
the course; no network; own processes, IPC and users; no capabilities on the machine and no way to new ones. The working
folder, /tmp and home are mounted for each command (`starter.c`). We reach the working folder through /proc/PID/root, so
no path of ours is ever mounted, or shown, inside; and its descriptor keeps it readable for us after every process is
gone.

When process 1 of its namespace ends, the kernel kills and reaps all others before it is gone. Bubblewrap outside does
not wait for that, so we do: as a subreaper we become the parent of what it leaves.
"""

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from functools import cache

from grader.core.errors import HostError
from grader.core.model.execution import SandboxPlace
from grader.core.sandbox.command import PATH, SHARED_BYTES, TEMPORARY_BYTES, WORK_BYTES
from grader.core.sandbox.identity import ClaimedUser, adopt_orphans, has_spare_users, is_root_of_machine, take_user

INNER_PACKAGES = "/usr/local/packages"
_find_program = cache(shutil.which)
_CHILD = re.compile(rb'"child-pid": *([0-9]+)[^0-9]')
_NAMESPACES = [
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    *("--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session"),
    "--clearenv",
]


def find_bubblewrap() -> str:
    """Return where bubblewrap is, and be ready to start it. Raises HostError when it is missing."""
    program = _find_program("bwrap", path=PATH)
    if program is None:
        raise HostError(
            "bubblewrap is missing, and without it nothing keeps a student's program in bounds; "
            "install it (apt-get install bubblewrap)"
        )
    adopt_orphans()
    return program


def user_for_sandbox() -> ClaimedUser | None:
    """Return the user as whom bubblewrap is to be started, where root has to be given up; None for us."""
    return take_user() if has_spare_users() or is_root_of_machine() else None


def not_started(error: OSError) -> HostError:
    """Return the error for bubblewrap that could not be started, with what to do about it."""
    message = "; ".join(filter(None, (error.strerror or str(error), remedy(str(error.strerror)))))
    return HostError(f"bubblewrap cannot be started: {message}")


def outer_options(place: SandboxPlace, show: Sequence[str], packages: str, env: Mapping[str, str]) -> list[str]:
    """Return the options of an outer sandbox, whose program may make inner ones: it has all but the empty folders."""
    places = [word for folder in inner_folders(place) if folder != "/dev/shm" for word in ("--dir", folder)]
    return [
        *_NAMESPACES,
        *("--hostname", place.host, "--uid", str(place.user), "--gid", str(place.user)),
        *(word for name, value in env.items() for word in ("--setenv", name, value)),
        *_file_system(place, show, packages, places),
        *("--cap-add", "ALL"),
    ]


def inner_folders(place: SandboxPlace) -> Mapping[str, int]:
    """Return the folders that are empty and in memory for each command, with their sizes in bytes."""
    return {
        "/dev/shm": SHARED_BYTES,
        "/tmp": TEMPORARY_BYTES,
        place.home: TEMPORARY_BYTES,
        place.work: WORK_BYTES,
    }


def _file_system(place: SandboxPlace, show: Sequence[str], packages: str, folders: Sequence[str]) -> list[str]:
    # The links of /etc/alternatives name the programs in /usr/bin.
    readable = ["/etc/alternatives", "/etc/ld.so.cache", *show]
    return [
        *("--ro-bind", "/usr", "/usr", "--size", "4096", "--tmpfs", "/usr/local"),
        *("--symlink", "usr/bin", "/bin", "--symlink", "usr/sbin", "/sbin"),
        *("--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"),
        *(word for path in readable for word in _shown(path)),
        *(("--ro-bind", packages, INNER_PACKAGES) if packages else ()),
        *("--remount-ro", "/usr/local"),  # in which tools may lie that are shown
        *("--proc", "/proc", "--dev", "/dev", *folders, "--remount-ro", "/dev"),
        *("--remount-ro", "/", "--chdir", place.work),
    ]


@cache
def _shown(path: str) -> tuple[str, ...]:
    """Show what lies at `path`: by a link, where it is one to what is shown anyway, since a mount is far more work."""
    if _is_in_usr(path):
        return ()
    if os.path.islink(path) and _is_in_usr(leads_to := os.path.realpath(path)) and not path.startswith("/usr/local/"):
        return "--symlink", leads_to, path
    return "--ro-bind-try", path, path


def _is_in_usr(path: str) -> bool:
    """Whether a path is shown to every command."""
    return path.startswith("/usr/") and not path.startswith("/usr/local/")


def read_first(info: int) -> int:
    """Read which process is number 1 inside: bubblewrap reports it as soon as it exists, or fails without (0)."""
    output = b""
    while not (found := _CHILD.search(output)):
        more = os.read(info, 4096)  # JSON, in several pieces
        if not more:
            return 0
        output += more
    return int(found[1])


def processes_in(proc: int) -> list[int]:
    """Return the ids in a /proc of a sandbox, whose descriptor is given, but for process 1."""
    # By this path, since `listdir` of a descriptor makes twice the system calls.
    return [int(name) for name in filter(str.isdigit, os.listdir(f"/proc/self/fd/{proc}")) if name != "1"]


# Ubuntu 24.04 and later lets only programs with an AppArmor profile make user namespaces.
_APPARMOR = (
    "AppArmor keeps bubblewrap from making user namespaces, as on Ubuntu 24.04: write the profile "
    "`profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` to /etc/apparmor.d/bwrap and load it with `sudo "
    "apparmor_parser -r /etc/apparmor.d/bwrap`, or run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
)
# Docker's default profile refuses them too, and masks parts of /proc. A kernel can have them switched off, or a limit
# on their number.
_DOCKER = "--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined"

_CONTAINER = "; or, as root in a container, grade with `--sandbox container`, which needs none of that"

# bubblewrap's complaint -> what to do about it, in one sentence.
_REMEDIES: Mapping[str, str] = {
    r"setting up uid map: Permission denied|loopback: Failed RTM_NEWADDR|loopback: Failed RTM_NEWLINK": _APPARMOR,
    r"No permissions to creat\w+ (a )?new namespace": (
        f"the kernel or the container allows no user namespaces: start a container with `{_DOCKER}`; elsewhere run "
        "`sudo sysctl -w kernel.unprivileged_userns_clone=1`" + _CONTAINER
    ),
    r"Function not implemented": f"the container refuses a system call: start it with `{_DOCKER}`{_CONTAINER}",
    r"Can't mount proc": f"the container masks /proc: start it with `{_DOCKER}`{_CONTAINER}",
    r"user_namespaces: Read-only file system": f"the container masks /proc/sys: start it with `{_DOCKER}`{_CONTAINER}",
    r"max_\*_namespaces exceeded|\(ENOSPC\)": "run `sudo sysctl -w user.max_user_namespaces=15000`",
    r"kernel does not support user namespaces": "this needs a kernel with CONFIG_USER_NS",
    r"Unknown option --disable-userns": "bubblewrap is older than 0.8.0: install a newer one",
    r"^set(groups|resgid|resuid): ": (
        "root is not root here, as in a container with one user id: give it a range of ids (/etc/subuid), or grade as "
        f"an ordinary user; if it allows no user namespaces either, start it with `{_DOCKER}`"
    ),
    r"failed to execute|execvp": "is the package util-linux installed as a whole?",
    r"Can't find source path .*: Permission denied": (
        "bubblewrap starts as another user, who cannot get at that path: let others pass through its folders "
        "(chmod o+x), or keep it below /usr"
    ),
}


def remedy(complaint: str) -> str:
    """Return what to do about an error message of bubblewrap; "" for an unknown one."""
    return next((advice for pattern, advice in _REMEDIES.items() if re.search(pattern, complaint)), "")
