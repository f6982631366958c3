"""Grade a class on several machines: a Dask cluster runs the jobs instead of threads.

The machines share only the network. The course (spec, the files that it names, the reference) and each submission are
sent as content. A worker unpacks them into its own folders, sets up its own sandbox, and returns the written report.
When a worker dies, Dask's scheduler retries its job on another one. Workers must have the same version of `grader` and
the same tools as the machine that keeps the grades: otherwise two grades would not be comparable.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from threading import Event, Lock, Thread

from distributed import Client, Worker, get_worker
from msgspec import Struct

from grader.core import build, pipeline
from grader.core.errors import GraderError, HostError, UsageError
from grader.core.model.gradebook import Entry
from grader.core.model.report import Report
from grader.core.model.spec import SECRET_FILE
from grader.core.pipeline import Course
from grader.grading_class.grading import Workers, grade_entry, report_key
from grader.results.store import ReportKey

CONNECT_SECONDS = 10
_LOOK_SECONDS = 2.0
RETRIES = 5  # after a job lost its worker; a submission that kills every worker ends up ungraded


class Parcel(Struct, frozen=True, kw_only=True):
    """A course as content."""

    spec: str  # path of the spec's file, relative to the root
    files: Mapping[str, bytes]
    sandbox: str
    work_seconds: float | None  # what one submission may take, where that was said
    key: ReportKey  # the key that a worker must compute for its own copy


_READY: dict[ReportKey, tuple[Course, "tempfile.TemporaryDirectory[str]"]] = {}  # what a worker has unpacked
_PREPARING = Lock()


@contextmanager
def cluster_workers(course: Course, address: str, say: Callable[[str], None]) -> Iterator[Workers]:
    """Use the cluster at `address`, and `say` when it has no worker left.

    Raises UsageError without a scheduler, HostError if a worker is incompatible.
    """
    parcel, ended = _pack_course(course), Event()
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"there is no Dask scheduler at {address}: {error or 'it does not answer'}") from error
    with client, ThreadPoolExecutor(1) as here:
        places = _check_workers(client, parcel, address)
        executor = client.get_executor(pure=False, retries=RETRIES)

        def submit(entry: Entry) -> "Future[Report]":
            try:
                work = build.staging.read_submission(entry.path or Path())
            except (GraderError, build.tree.Refused):  # it cannot be sent, and fails on this machine
                return here.submit(grade_entry, entry, course)
            future: Future[Report] = executor.submit(_grade_on_worker, parcel, entry.id, work)
            return future

        try:
            Thread(target=_watch_workers, args=(client, address, say, ended), daemon=True).start()
            yield Workers(submit=submit, places=places)
        finally:
            ended.set()
            executor.shutdown(wait=False)


def _pack_course(course: Course) -> Parcel:
    spec, reference = course.spec, course.reference
    if isinstance(reference, HostError):
        raise reference
    name, secret = f"specs/{spec.id}.yaml", {SECRET_FILE: bytes.fromhex(course.secret)} if course.secret else {}
    return Parcel(
        spec=name,
        files={**reference, **spec.attached, name: spec.source_text, **secret},
        sandbox=course.sandbox.info.level,
        work_seconds=course.work_seconds,
        key=report_key(course),
    )


def _watch_workers(client: Client, address: str, say: Callable[[str], None], ended: Event) -> None:
    """Say once, each time, that no worker is left: Dask waits for one without a word."""
    workers: object = True
    while not ended.wait(_LOOK_SECONDS):
        before, workers = workers, None
        with suppress(OSError, TimeoutError):
            workers = client.scheduler_info(n_workers=-1)["workers"]
        if before and not workers and not ended.is_set():
            say(
                f"no Dask worker is left at {address}, so the class waits: start one with `dask worker {address}`, or "
                "press Ctrl-C and grade the rest later; what was finished is kept"
            )


def _check_workers(client: Client, parcel: Parcel, address: str) -> int:
    """Prepare the course on every worker; return how many submissions they grade at a time."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers:
        raise UsageError(f"the Dask scheduler at {address} has no workers: start some with `dask worker {address}`")
    try:
        answers = client.run(_find_incompatibility, parcel)
    except Exception as error:
        raise HostError(f"the workers at {address} cannot grade: {error}; install the same grader there") from error
    for worker, why in answers.items():
        if why:
            raise HostError(f"the worker {worker} cannot grade: {why}")
    return sum(worker["nthreads"] for worker in workers.values())


# ---------------------------------------------------------------- on a worker


def _find_incompatibility(parcel: Parcel, dask_worker: Worker) -> str:
    """Return why this worker cannot grade; empty if it can. Dask passes `dask_worker`."""
    try:
        _course_of(parcel, dask_worker)
    except GraderError as error:
        return str(error)
    return ""


def _grade_on_worker(parcel: Parcel, name: str, work: "build.tree.FileTree") -> Report:
    course = _course_of(parcel, get_worker()).with_work_seconds(parcel.work_seconds)
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        build.tree.write_tree(work, Path(folder), with_links=True)
        return grade_entry(Entry(id=name, path=Path(folder), students=()), course)


def _course_of(parcel: Parcel, worker: Worker) -> Course:
    with _PREPARING:
        if parcel.key not in _READY:
            _READY[parcel.key] = _unpack_course(parcel, worker.state.nthreads)
        return _READY[parcel.key][0]


def _unpack_course(parcel: Parcel, places: int) -> tuple[Course, "tempfile.TemporaryDirectory[str]"]:
    folder = tempfile.TemporaryDirectory(prefix="grader-course-")
    for name, content in parcel.files.items():
        path = Path(folder.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # required of the secret file
        path.write_bytes(content)
    course = pipeline.prepare(Path(folder.name) / parcel.spec, sandbox=parcel.sandbox, workers=places)
    ours, wanted = asdict(report_key(course)), asdict(parcel.key)
    if differing := " and ".join(part for part in wanted if ours[part] != wanted[part]):
        raise HostError(f"its {differing} is another one than here; install the same versions on all machines")
    return course, folder
