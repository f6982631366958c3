"""`request`: what a student's server answers. A probe starts it, asks it once, and prints the answer."""

from collections.abc import Callable, Sequence

from grader.core.model.execution import Launch, LaunchContext
from grader.core.model.spec import Case, Payload, Spec
from grader.core.yaml.types import Type, any_text, key
from grader.core.yaml.value import Value, text, unwanted

PORT = 8000
PROBE = """
import subprocess, sys, time, urllib.error, urllib.request
port, path, *program = sys.argv[1:]
server = subprocess.Popen(program + [port], stdout=sys.stderr)
while server.poll() is None:
    try:
        answer = urllib.request.urlopen(f"http://127.0.0.1:{port}{path}")
    except urllib.error.HTTPError as error:
        answer = error
    except OSError:
        time.sleep(0.01)
        continue
    print(answer.status, flush=True)
    sys.stdout.buffer.write(answer.read())
    break
server.kill()
"""


class Request(Payload, frozen=True, kw_only=True):
    """What is asked of the server."""

    path: str
    command_text = property(
        lambda self: lambda spec: f"{' '.join(spec.program)} {PORT} & curl localhost:{PORT}{self.path}"
    )


def request_of(case: Case) -> Request:
    """Return the request of a case of this kind; TypeError for another."""
    if not isinstance(case.payload, Request):
        raise TypeError(f"{case.id} asks no server")
    return case.payload


def _read_request(value: Value) -> Request:
    path = text(value)
    if not path.startswith("/") or not path.isprintable() or " " in path:
        unwanted(value, "a path such as /hello")
    return Request(path=path)


def launch(case: Case, context: LaunchContext, around: Callable[[tuple[str, ...]], Launch]) -> Launch:
    """Return the probe, with the server that it starts: the student's, or that of the reference."""
    program = context.spec.program if context.folder else context.spec.reference or ()
    return around(("python3", "-I", "-c", PROBE, str(PORT), request_of(case).path, *program, *case.args))


def describe_cases(_cases: Sequence[Case], _spec: Spec) -> str:
    """Return the line above the list of requests in a handout."""
    return "Asked for"


_ABOUT = "The path that the server is asked for."
added = {"case": key("request", "http-path", _ABOUT, examples=("/hello",), after="repeat")}
types = {"http-path": Type(any_text(pattern="^/"), read=_read_request)}
