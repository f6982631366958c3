import os
import stat
import subprocess
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core import build as stage_two
from grader.core import languages
from grader.core.build.artifact import build_submission, clean_log, cut_log
from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.layout import Artifact, Build, Staged, Submission
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Spec, Test, Toolchain
from grader.core.reader.files import read_data as read_toolchains
from grader.core.run.runner import execute
from grader.core.sandbox import LEVELS
from tests.support.functions import run_full
from tests.support.packages import lay
from tests.support.processes import UNHEARD, processor_taken
from tests.support.rows import each_row, read_data

TOOLCHAINS: Any = read_toolchains(languages.TOOLCHAINS_FILE)
JAVA = languages.toolchain("java", TOOLCHAINS)
C = languages.toolchain("c", TOOLCHAINS)
DATA = read_data(__file__)

MAKEFILE = DATA["MAKEFILE"]
QUEENS = 'class Queens { public static void main(String[] a) { System.out.println("queens"); } }'


def spec(*commands: tuple[str, ...], produces: tuple[str, ...] = ()) -> Spec:
    return Spec(
        id="x",
        title="x",
        root=Path(),
        digest="",
        tests=(Test(name="t", points=Fraction(1), cases=(Case(id="t"),)),),
        program=("java", "-jar", "Queens"),
        build=Build(run=commands, produces=produces) if commands else None,
    )


def built(
    folder: Path,
    contract: Spec,
    files: Mapping[str, str],
    *,
    toolchain: Toolchain = C,
    limits: Limits | None = None,
    run: Runner = run_full,
) -> Artifact:
    staged, target = lay(folder / "staged", files), lay(folder / "built", {})
    return build_submission(
        contract, Staged(folder=staged, digest=""), toolchain, limits or Limits(time=60), target, run
    )


def names(artifact: Artifact) -> list[str]:
    return sorted(str(path.relative_to(artifact.folder)) for path in artifact.folder.rglob("*"))


MAKE = spec(("make",), produces=("Queens",))


def test_make_and_java(tmp_path: Path) -> None:
    artifact = built(tmp_path, MAKE, {"Makefile": MAKEFILE, "Queens.java": QUEENS}, toolchain=JAVA)
    assert artifact.build.ok, artifact.build.log
    assert artifact.build.command == "make"
    assert artifact.build.message == ""
    assert artifact.build.log.startswith(b"javac Queens.java\necho Main-class")
    assert b"Picked up" not in artifact.build.log
    assert names(artifact) == ["Makefile", "Queens", "Queens.java"]  # and no class file
    assert run_full(Launch(argv=("java", "-jar", "Queens"), folder=artifact.folder)).stdout == b"queens\n"


def test_a_makefile_with_carriage_returns_works(tmp_path: Path) -> None:
    dos = MAKEFILE.replace("\n", "\r\n")
    artifact = built(tmp_path, MAKE, {"Makefile": dos, "Queens.java": QUEENS}, toolchain=JAVA)
    assert artifact.build.ok, artifact.build.log


@pytest.mark.slow
@each_row
def test_failures_are_told_in_a_sentence(tmp_path: Path, makefile: str, queens: str, message: str) -> None:
    makefile = makefile.replace("*.class", "X.class") if "java Queens.java" in makefile else makefile
    artifact = built(tmp_path, MAKE, {"Makefile": makefile, "Queens.java": queens}, toolchain=JAVA)
    assert not artifact.build.ok
    assert artifact.build.message.startswith(message)
    assert names(artifact) == []


@each_row
def test_lines_are_quoted_from_what_was_handed_in_alone(tmp_path: Path, name: str, begin: str) -> None:
    (tmp_path / "secret").write_text("a secret\n")
    script = f"echo 'make: *** [{name}:1: q] Error 1'; exit 2"
    artifact = built(tmp_path, spec(("sh", "run.sh")), {"a.c": "int x;\n", "folder/b.c": "int y;\n", "run.sh": script})
    assert artifact.build.message.startswith(begin)


def test_a_problem_of_staging_is_the_failure(tmp_path: Path) -> None:
    staged = Staged(folder=tmp_path, digest="", problem="Queens.java is missing")
    artifact = build_submission(MAKE, staged, C, Limits(), tmp_path, run_full)
    assert (artifact.build.ok, artifact.build.message) == (False, "Queens.java is missing")
    assert artifact.build.command == ""


@pytest.mark.slow
@each_row
def test_files_that_are_too_much_to_be_kept_are_named(tmp_path: Path, script: str, produces: str, message: str) -> None:
    contract, files = spec(("sh", "run.sh"), produces=(produces,)), {"run.sh": script, "big": ""}
    artifact = built(tmp_path, contract, files)
    told = f"`sh run.sh` {message}"
    assert artifact.build.message.startswith(told) if message else artifact.build.ok, artifact.build


def test_commands_share_a_folder_with_modes_and_stop_at_the_first_failure(tmp_path: Path) -> None:
    commands = (("gcc", "make it.c", "-o", "generator"), ("./generator",), ("false",), ("touch", "late"))
    source = '#include <stdio.h>\nint main(void) { fputs("made", fopen("out", "w")); puts("hello"); return 0; }\n'
    artifact = built(tmp_path, spec(*commands, produces=("*",)), {"make it.c": source})
    assert not artifact.build.ok
    assert artifact.build.command == "gcc 'make it.c' -o generator && ./generator && false && touch late"
    assert artifact.build.log == b"hello\n"
    assert artifact.build.message == "the command failed with status 1: hello"


def test_products_can_be_started_and_sources_are_those_handed_in(tmp_path: Path) -> None:
    commands = (("gcc", "q.c", "-o", "q"), ("sh", "-c", "echo spoilt > q.c; mkdir -p b/c; cp q b/c"))
    artifact = built(tmp_path, spec(*commands, produces=("q", "b/*")), {"q.c": "int main(void) { return 0; }\n"})
    assert artifact.build.ok, artifact.build.log
    assert names(artifact) == ["b", "b/c", "b/c/q", "q", "q.c"]
    assert (artifact.folder / "q.c").read_text().startswith("int main")
    assert run_full(Launch(argv=("./b/c/q",), folder=artifact.folder)).status == 0
    assert stat.S_IMODE((artifact.folder / "q").stat().st_mode) == 0o755


def test_without_products_what_commands_start_is_kept_and_nothing_else(tmp_path: Path) -> None:
    make = "gcc q.c -o q; cp q other; cp q ..; echo spoilt > run.sh; mkdir b; cp q b/c"
    cases = (
        Case(id="t", command=("./b/c", "1")),
        Case(id="u", command=("./../q",)),
        Case(id="v", command=("./run.sh",)),
    )
    contract = replace(
        spec(("sh", "-c", make)), program=("./q",), tests=(Test(name="t", points=Fraction(1), cases=cases),)
    )
    files = {"q.c": "int main(void) { return 0; }\n", "run.sh": "own"}
    artifact = built(tmp_path, contract, files)
    assert artifact.build.ok, artifact.build.log
    assert names(artifact) == ["b", "b/c", "q", "q.c", "run.sh"]
    assert (artifact.folder / "run.sh").read_text() == "own"
    assert run_full(Launch(argv=("./q",), folder=artifact.folder)).status == 0


@each_row
def test_make_makes_anew_what_was_handed_in(
    makefile: str, produces: tuple[str, ...], name: str, content: bytes, tmp_path: Path
) -> None:
    says = '#include <stdio.h>\nint main(void) { puts("%s"); }\n'
    handed_in = lay(tmp_path / "alice", {"main.c": says % "handed in"})
    subprocess.run(["/usr/bin/make", "-sf", "-"], cwd=handed_in, input=makefile.encode(), check=True)
    (handed_in / name).write_bytes(content or (handed_in / name).read_bytes())
    (handed_in / "main.c").write_text(says % "made")
    os.utime(handed_in / "main.c", (0, 0))
    build = Build(run=(("make",),), produces=produces, files={"Makefile": makefile.encode()})
    contract = replace(spec(), program=("./queens",), build=build)
    for folder in ("staged", "built"):
        (tmp_path / folder).mkdir()
    staged = stage_two.staging.stage(
        Submission(id="alice", path=handed_in), stage_two.layout.staging_rules(contract), tmp_path / "staged"
    )
    staged = stage_two.artifact.put_beside(staged, build, contract.files, tmp_path / "beside")
    artifact = build_submission(contract, staged, C, Limits(time=60), tmp_path / "built", run_full)
    assert artifact.build.ok, artifact.build.message
    assert run_full(Launch(argv=("./queens",), folder=artifact.folder)).stdout == b"made\n"
    again = run_full(Launch(argv=("make",), folder=artifact.folder))
    assert b"up to date" in again.stdout or b"obj" in again.stdout


def test_products_win_over_sources_in_their_way(tmp_path: Path) -> None:
    swap = "rm -r a b; mkdir a; echo 1 > a/x; echo 2 > b"
    artifact = built(tmp_path, spec(("sh", "-c", swap), produces=("a/x", "b")), {"a": "file", "b/c": "file"})
    assert artifact.build.ok, artifact.build.log
    assert names(artifact) == ["a", "a/x", "b"]


@pytest.mark.parametrize("name", ["../x", "/tmp/x", "a/../../x"])
def test_a_product_that_leads_out_is_our_error(tmp_path: Path, name: str) -> None:
    def run(_launch: Launch) -> Execution:
        return Execution(status=0, files={name: b""})

    with pytest.raises(HostError, match="leads out"):
        built(tmp_path, spec(("make",), produces=("*",)), {}, run=run)


@pytest.mark.parametrize("path", ["/".join(["a" * 250] * 12), "/".join(["b" * 60] * 40)])
def test_a_product_with_a_name_that_no_folder_of_ours_takes(tmp_path: Path, path: str) -> None:
    make = f"p={path}; mkdir -p ${{p%/*}}; echo > $p; touch Queens"
    artifact = built(tmp_path, spec(("sh", "-c", make), produces=("*",)), {})
    assert artifact.build.message.startswith("the command created a file with too long a name: ")
    assert len(artifact.build.message) < 100


def test_a_folder_that_cannot_be_written_is_our_error(tmp_path: Path) -> None:
    (tmp_path / "staged").mkdir()
    with pytest.raises(HostError, match="cannot keep"):
        build_submission(
            spec(("touch", "Queens"), produces=("Queens",)),
            Staged(folder=tmp_path / "staged", digest=""),
            C,
            Limits(),
            Path("/proc/nowhere"),
            run_full,
        )


def test_a_hanging_build(tmp_path: Path) -> None:
    artifact = built(tmp_path, MAKE, {"Makefile": "all:\n\tsleep 30\n"}, limits=Limits(time=0.5))
    assert artifact.build.message == "the build took longer than 0.5 s"


@each_row
def test_what_ended_a_build_is_named(tmp_path: Path, execution: Execution, message: str) -> None:
    def run(_launch: Launch) -> Execution:
        return execution

    assert built(tmp_path, MAKE, {}, run=run).build.message == message


def test_noise_is_removed_line_by_line() -> None:
    log = b"Picked up JAVA_TOOL_OPTIONS: -Xint\nQ.java:1: error: x\nnot Picked up JAVA_TOOL_OPTIONS: \xff\n"
    assert clean_log(log, JAVA.noise) == b"Q.java:1: error: x\nnot Picked up JAVA_TOOL_OPTIONS: \xff\n"


def test_settings_of_ours_never_make_a_build_too_slow(tmp_path: Path) -> None:
    contract = spec(("sh", "-c", 'test -z "$SLOW" || sleep 30'))
    toolchain = replace(C, build_env={"SLOW": "yes"})
    artifact = built(tmp_path, contract, {"a.c": ""}, toolchain=toolchain, limits=Limits(time=1.5))
    assert artifact.build.ok, artifact.build.message


@pytest.mark.slow
def test_a_build_for_which_the_machine_was_too_busy_is_no_failure_of_the_student(tmp_path: Path) -> None:
    def run(launch: Launch) -> Execution:
        return execute(LEVELS["full"], replace(launch, max_time_factor=2), Event())

    contract = spec((*UNHEARD, "sh", "-c", "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done"))
    with processor_taken(), pytest.raises(HostError, match="too busy to build it"):
        built(tmp_path, contract, {"a.c": ""}, limits=Limits(time=0.3), run=run)


def test_long_logs_keep_both_ends() -> None:
    log = b"first" + bytes(10**6) + b"last"
    cut = cut_log(log)
    assert cut.startswith(b"first")
    assert cut.endswith(b"last")
    assert b"\n[... 934,473 bytes left out ...]\n" in cut
    assert len(cut) < 65_600
    assert cut_log(b"x" * 65_536) == b"x" * 65_536
