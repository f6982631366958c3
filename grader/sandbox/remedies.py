"""What to do about a sandbox that does not come up: bubblewrap's complaint -> a remedy, in one sentence.

Ubuntu 24.04 and later lets no program make user namespaces that AppArmor has not been told of. Docker's default profile
refuses them too, and masks parts of /proc. A kernel can have them switched off, or a limit on their number.
"""

import re
from collections.abc import Mapping

_APPARMOR = (
    "AppArmor keeps bubblewrap from making user namespaces, as on Ubuntu 24.04: write the profile "
    "`profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` to /etc/apparmor.d/bwrap and load it with `sudo "
    "apparmor_parser -r /etc/apparmor.d/bwrap`, or run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
)
_DOCKER = "--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined"

_REMEDIES: Mapping[str, str] = {
    r"setting up uid map: Permission denied|loopback: Failed RTM_NEWADDR|loopback: Failed RTM_NEWLINK": _APPARMOR,
    r"No permissions to creat\w+ (a )?new namespace": (
        f"the kernel or the container allows no user namespaces: start a container with `{_DOCKER}`; elsewhere run "
        "`sudo sysctl -w kernel.unprivileged_userns_clone=1`"
    ),
    r"Can't mount proc": f"the container masks /proc: start it with `{_DOCKER}`",
    r"user_namespaces: Read-only file system": f"the container masks /proc/sys: start it with `{_DOCKER}`",
    r"max_\*_namespaces exceeded|\(ENOSPC\)": "run `sudo sysctl -w user.max_user_namespaces=15000`",
    r"kernel does not support user namespaces": "this needs a kernel with CONFIG_USER_NS",
    r"Unknown option --disable-userns": "bubblewrap is older than 0.8.0: install a newer one",
    r"failed to execute|execvp": "is the package util-linux installed as a whole?",
}


def remedy(complaint: str) -> str:
    """Return what to do about the complaint; "" for one that nobody knows."""
    return next((told for pattern, told in _REMEDIES.items() if re.search(pattern, complaint)), "")
