"""Whether a level keeps its promises on this machine, tried by one small script before a student's program runs.

The script requests forbidden access and reports what it got. Any such access is named, and the level is refused.
"""

import os
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from grader.core.model.execution import Execution, Launch

# Words of the shell alone, but for `unshare`, and `id` where there is no /proc: this runs at the start of everything.
_SCRIPT = r"""
while read -r name first rest; do
    case $name in CapEff:|NoNewPrivs:|Seccomp:) echo "$name $first";; Uid:) user=$first;; esac
done < /proc/self/status
echo "user: ${user:-$(/usr/bin/id -u)}"
set -- "$1" "$2" /proc/[0-9]*
echo "processes: $(($# - 2))"
echo "file size: $(ulimit -f)"
echo "core size: $(ulimit -c)"
[ "$2" = none ] && echo done && exit
[ "$2" = container ] && kill -0 "$1" && echo 'got: signals to the grader'
read -r _ < /etc/passwd && echo 'got: the files of /etc'
for folder in /root /home/?* /var/lib /mnt/?*; do
    for name in "$folder"/?*; do [ -e "$name" ] && echo "got: the files of $folder" && break; done
done
for folder in /usr /etc; do  # `:` would end the shell
    true > $folder/grader-trial && rm $folder/grader-trial && echo "got: writing to $folder"
done
[ -w /proc/sys/kernel/core_pattern ] && echo 'got: the settings of the kernel'
read -r _ < "/proc/$1/environ" && echo 'got: the environment of the grader'
/usr/bin/unshare --user /bin/true && echo 'got: a namespace of its own'
while read -r name _; do
    case $name in lo:|Inter-\||face) ;; *) echo "interface: $name";; esac
done < /proc/self/net/dev
echo done
"""


_MAX_PROCESSES = 8


class _Promise(NamedTuple):
    """The promise of a level about a fact that the script reports, and the meaning of a breach."""

    fact: str
    holds: Callable[[list[str]], bool]
    otherwise: str


_LIMITED = (
    _Promise("core size", lambda values: values == ["0"], "limits are not set"),
    _Promise("file size", lambda values: "unlimited" not in values, "files have no limit"),
)
_FILTERED = (
    _Promise("Seccomp", lambda values: values == ["2"], "no system call is refused"),
    _Promise("NoNewPrivs", lambda values: values == ["1"], "it can get new privileges"),
)
_CONFINED = (
    *_LIMITED,
    _Promise("user", lambda values: values not in ([], ["0"]), "it runs as root"),
    _Promise("got", lambda values: not values, "it got {}"),
)
_PROMISES: Mapping[str, tuple[_Promise, ...]] = {
    "full": (
        *_CONFINED,
        *_FILTERED,
        _Promise("CapEff", lambda values: values == ["0" * 16], "it has capabilities"),
        _Promise(
            "processes", lambda values: len(values) == 1 and int(values[0]) <= _MAX_PROCESSES, "it sees other processes"
        ),
        _Promise("interface", lambda values: not values, "it has the network interface {}"),
    ),
    "container": (  # which cannot read what its own process is like
        *_CONFINED,
        _Promise("processes", lambda values: values == ["1"], "it sees other processes"),
    ),
    "none": (*_LIMITED, *_FILTERED),
}


def trial(level: str) -> Launch:
    """Return what is to be run to try `level`."""
    return Launch(argv=("/bin/sh", "-c", _SCRIPT, "sh", str(os.getpid()), level))


def failed_self_tests(level: str, happened: Execution) -> tuple[str, ...]:
    """Return what `level` promises and does not keep, as the run of its trial shows; none when all is well."""
    output = happened.stdout.decode(errors="backslashreplace")
    if happened.status != 0 or not output.endswith("done\n"):
        complaint = happened.stderr.decode(errors="backslashreplace").strip()
        return (f"it does not run even a small script: {complaint or 'it says nothing'}",)
    facts: dict[str, list[str]] = {}
    for name, value in re.findall(r"(?m)^([\w ]+): (.*)$", output):
        facts.setdefault(name, []).append(value)
    return tuple(
        promise.otherwise.format(", ".join(facts.get(promise.fact, [])))
        for promise in _PROMISES[level]
        if not promise.holds(facts.get(promise.fact, []))
    )
