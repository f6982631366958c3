"""`grader review` over HTTP: who is let in, what a page shows of hostile work, and what its forms write."""

import http.client
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from urllib.parse import urlencode

import pytest

from grader.results.store import locked
from grader.review.pages import application_of
from grader.review.reviewed import open_reviewed
from grader.review.server import ReviewServer, start_server
from grader.review.sources import MAX_LINES, SourceFile, coloured
from tests.support.classes import grader
from tests.support.layouts import small_class
from tests.support.rows import each_row

HOSTILE = "<script>alert(1)</script>"


class Client:
    """A browser without a screen: it keeps the cookie, and sends what browsers send."""

    def __init__(self, server: ReviewServer) -> None:
        self.guard = server.guard
        self.cookie = ""
        answer, _ = self.ask("GET", f"{self.guard.base}?token={self.guard.token}")
        self.cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]

    def ask(
        self, method: str, path: str, body: str = "", headers: Mapping[str, str | None] | None = None
    ) -> tuple[http.client.HTTPResponse, str]:
        """Send a request; a header that is None is not sent."""
        own = f"127.0.0.1:{self.guard.port}"
        sent: dict[str, str | None] = {"Host": own, "Cookie": self.cookie}
        if method == "POST":
            sent |= {"Origin": f"http://{own}", "Content-Type": "application/x-www-form-urlencoded"}
        sent |= headers or {}
        connection = http.client.HTTPConnection("127.0.0.1", self.guard.port, timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Content-Length": str(len(body)) if method == "POST" else None, **sent}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body.encode())
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text

    def page(self, path: str = "") -> str:
        """Get a page below the base."""
        answer, text = self.ask("GET", self.guard.base + path)
        assert answer.status == 200, text
        return text

    def send(self, student: str, page: str = "", /, **fields: str) -> tuple[int, str]:
        """Send a form of a student's page as it is now, or as it was."""
        page = page or self.page(f"student/{student}")
        seen = re.search(r'name="seen" value="(\w+)"', page)
        assert seen
        body = urlencode({"token": self.guard.form_token, "seen": seen[1], **fields})
        answer, text = self.ask("POST", f"{self.guard.base}student/{student}", body)
        return answer.status, text


@contextmanager
def serving(folder: Path) -> Iterator[ReviewServer]:
    with start_server(0, application_of(open_reviewed(folder / "reports" / "echo", None, folder))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of four, with work that is hostile beside the right program."""
    folder = tmp_path_factory.mktemp("course")
    small_class(folder)
    work = folder / "submissions" / "bo"
    (work / f"{HOSTILE.replace('/', '-')}.py").write_text(f"print('{HOSTILE}')\n# \u202egnp.exe \x1b[31m\n")
    (work / "picture.bin").write_bytes(b"\x89PNG\0\0secret pixels")
    (work / "wide.txt").write_bytes("größe\nzwei\n".encode("utf-16"))
    (work / "long.txt").write_text("x\n" * (MAX_LINES + 5))
    (work / "passwords").symlink_to("/etc/passwd")
    (work / "mac.txt").write_bytes(b"one\rtwo\r\nthree\x0cstill three")
    done = grader(folder, "class", "submissions", "--roster", "roster.csv", "--quiet")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def server(course: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReviewServer]:
    monkeypatch.chdir(course)
    (course / "adjustments.yaml").unlink(missing_ok=True)
    with serving(course) as one:
        yield one


@pytest.fixture
def client(server: ReviewServer) -> Client:
    return Client(server)


# ---------------------------------------------------------------- who is let in


def test_it_listens_on_this_machine_alone(server: ReviewServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.2", server.server_port)) != 0


def test_a_stranger_gets_nothing(client: Client) -> None:
    guard, cookie = client.guard, client.cookie
    assert cookie.startswith(f"grader-review-{guard.port}=")
    client.cookie = ""
    own = (guard.base, f"{guard.base}?token=wrong", f"{guard.base}?token=", f"{guard.base}student/bo")
    for path in ("/", "/etc/passwd", *own):
        answer, text = client.ask("GET", path)
        assert answer.status == 403, path
        assert "Bo Berg" not in text
        assert answer.getheader("Set-Cookie") is None
    client.cookie = f"{cookie}x"
    assert client.ask("GET", guard.base)[0].status == 403
    client.cookie = f"other=1; {cookie}; more=2"
    assert client.ask("GET", guard.base)[0].status == 200
    assert client.ask("GET", guard.base.replace("review", "Review"))[0].status == 403


@each_row
def test_another_name_or_another_page_gets_nothing(headers: dict[str, str | None], status: int, client: Client) -> None:
    port = client.guard.port
    sent = {name: value and value.format(port=port) for name, value in headers.items()}
    answer, text = client.ask("GET", client.guard.base, headers=sent)
    assert (answer.status, "Bo Berg" in text) == (status, status == 200)


def test_two_hosts_are_no_host(client: Client) -> None:
    own = f"127.0.0.1:{client.guard.port}"
    with socket.create_connection(("127.0.0.1", client.guard.port), timeout=30) as connection:
        lines = [f"GET {client.guard.base} HTTP/1.1", "Host: evil.example", f"Host: {own}", f"Cookie: {client.cookie}"]
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 421 ")


@each_row
def test_a_change_comes_from_our_own_page_or_not_at_all(
    headers: dict[str, str | None], fields: dict[str, str], status: int, client: Client, course: Path
) -> None:
    seen = re.search(r'name="seen" value="(\w+)"', client.page("student/bo"))
    assert seen
    form = {"token": client.guard.form_token, "seen": seen[1], "action": "add", "why": "W", "points": "", **fields}
    answer, _ = client.ask("POST", f"{client.guard.base}student/bo", urlencode(form), headers)
    assert answer.status == status
    assert (course / "adjustments.yaml").exists() == (status == 303)


def test_the_answers_may_be_framed_kept_and_used_by_nobody(client: Client) -> None:
    answer, text = client.ask("GET", client.guard.base)
    headers = {name.lower(): value for name, value in answer.getheaders()}
    assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff")
    assert headers["content-security-policy"] == "frame-ancestors 'none'"
    assert "server" not in headers or "Python" not in headers["server"]
    assert "default-src &#39;none&#39;; style-src &#39;sha256-" in text
    assert "form-action &#39;self&#39;" in text
    assert client.guard.token not in text
    assert client.guard.cookie not in text


@each_row
def test_what_is_no_page_is_none(path: str, client: Client) -> None:
    answer, text = client.ask("GET", client.guard.base + path)
    assert answer.status == 404
    assert "There is no such page" in text


def test_a_taken_port_is_told(server: ReviewServer) -> None:
    with pytest.raises(Exception, match=f"port {server.server_port} of 127.0.0.1: Address already in use; choose"):
        start_server(server.server_port, lambda _: pytest.fail("asked"))


def test_what_a_student_wrote_is_text(client: Client) -> None:
    page = client.page("student/bo")
    assert HOSTILE not in page
    assert 'print(<span class="string">&#39;&lt;script&gt;alert(1)&lt;/script&gt;' in page
    assert "\\u202egnp.exe \\x1b[31m" in page
    assert "Not shown: 19 bytes that are no text." in page
    assert "secret pixels" not in page
    assert "root:" not in page
    assert "größe" in page
    assert "Saved as UTF-16." in page
    assert f"Only the first {MAX_LINES} lines of" in page
    rows = re.findall(r'aria-label="Comment on line (\d+)">.*?<code class="theirs">([^<]*)<', page)
    assert ("2", "two") in rows
    assert ("3", "three\\x0cstill three") in rows
    assert HOSTILE not in client.page(f"?{urlencode({'q': HOSTILE})}")


def test_a_text_that_a_lexer_would_take_minutes_for_is_plain_and_whole() -> None:
    lines = ("a a a(" * 300,) * 33
    started = monotonic()
    ((_, rows),) = coloured([SourceFile(name="A.java", lines=lines)], "java")
    assert monotonic() - started < 20
    assert tuple("".join(part for _, part in row) for row in rows) == lines


def test_a_submission_that_changed_is_told_and_takes_no_comments(client: Client, course: Path) -> None:
    file = course / "submissions" / "cy" / "echo.py"
    before = file.read_bytes()
    page = client.page("student/cy")
    assert "Comment on line 1" in page
    file.write_bytes(before + b"# later\n")
    try:
        changed = client.page("student/cy")
        assert "The submission has changed since it was graded" in changed
        assert "Comment on line 1" not in changed
        status, text = client.send("cy", page, action="comment", at="0-1", why="W")
        assert (status, "grade it again" in text) == (409, True)
        file.unlink()
        file.parent.rmdir()
        assert "The submission cannot be read any more" in client.page("student/cy")
    finally:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(before)
    assert not (course / "adjustments.yaml").exists()


def test_a_file_of_fifty_megabytes_is_refused_as_it_was_when_it_was_graded(client: Client, course: Path) -> None:
    file = course / "submissions" / "cy" / "big.txt"
    with file.open("wb") as big:
        big.truncate(50 * 2**20)
    try:
        assert "The submission has more than 20 MiB" in client.page("student/cy")
    finally:
        file.unlink()


def test_somebody_without_a_submission_has_a_page(client: Client) -> None:
    page = client.page("student/dee")
    assert "Nothing was handed in." in page
    status, text = client.send("dee", action="add", why="W", points="+1")
    assert (status, "dee has no graded submission" in text) == (422, True)


@each_row
def test_a_filter_lists_those_whom_it_names(query: str, names: list[str], client: Client) -> None:
    assert re.findall(r'<tr id="(\w+)">', client.page(query)) == names


# ---------------------------------------------------------------- what is written


def written(course: Path) -> str:
    return (course / "adjustments.yaml").read_text().partition("adjustments:\n")[2]


def test_points_go_into_the_file_and_onto_the_page_of_the_student(client: Client, course: Path) -> None:
    status, _ = client.send("bo", action="add", test="words", points="+2", why="The handout\nleft  the stream open.")
    assert status == 303
    assert written(course) == (
        '  - spec: echo\n    student: "bo"\n    test: "words"\n    points: +2\n    graded: 3\n'
        "    why: |-\n      The handout\n      left the stream open.\n"
    )
    assert (
        "By hand, words: +2 points. The handout  \n  left the stream open."
        in (course / "reports/echo/bo/feedback.md").read_text()
    )
    assert "<strong>5 of 10</strong>" in client.page("student/bo")
    assert re.findall(r'<tr id="(\w+)">', client.page("?by=with")) == ["bo"]


def test_a_comment_on_a_line_is_told_with_the_line(client: Client, course: Path) -> None:
    files = re.findall(r"<h3><bdi>([^<]*)</bdi></h3>", client.page("student/bo"))
    at = f"{files.index('echo.py')}-2"
    assert client.send("bo", action="comment", at=at, points="-0,5", why="Write to `stdout` <here>.")[0] == 303
    assert 'file: "echo.py"\n    line: 2\n    code: "sys.stderr.write(' in written(course)
    assert "Write to <code>stdout</code> &lt;here&gt;." in client.page("student/bo")
    for name, told in (
        ("feedback.md", "Write to `stdout` \\<here>. This is about `sys.stderr.write("),
        ("feedback.html", "-0.5 points. Write to <code>stdout</code> &lt;here&gt;."),
    ):
        assert told in (course / "reports/echo/bo" / name).read_text()
    exported = grader(course, "export", "gradescope", "reports/echo", "--student", "bo")
    assert (exported.returncode, "By hand, echo.py:2: -0.5 points." in exported.stdout) == (0, True)
    for at in ("0-0", "0-99999", "99-1", "x-1", "0-", "", "-1-1", "0-1-1"):
        assert client.send("bo", action="comment", at=at, why="W")[0] == 409


def test_a_rubric_item_is_changed_for_everybody_in_one_place(client: Client, course: Path) -> None:
    assert client.send("bo", action="new-item", points="-2", why="There are no comments.")[0] == 303
    assert client.send("cy", action="give", item="there-are-no-comments")[0] == 303
    scores = [re.search(r"<strong>([^<]*)</strong> points", client.page(f"student/{name}")) for name in ("bo", "cy")]
    assert [score and score[1] for score in scores] == ["1 of 10", "4 of 10"]
    page = client.page("student/bo")
    seen = re.search(r'name="item_seen" value="(\w+)"', page)
    assert seen
    change = {"action": "change-item", "item": "there-are-no-comments", "item_seen": seen[1]}
    assert client.send("bo", page, **change, points="-1.5", why="No comments at all.")[0] == 303
    for name, score in (("bo", "1.5"), ("cy", "4.5")):
        feedback = (course / "reports/echo" / name / "feedback.md").read_text()
        assert f": {score} of 10 points: " in feedback
        assert "By hand: -1.5 points. No comments at all." in feedback
    status, text = client.send("cy", page, **change, points="-3", why="W")
    assert (status, "Somebody else changed" in text) == (409, True)
    drop = {"action": "drop-item", "item": "there-are-no-comments"}
    fresh = re.search(r'name="item_seen" value="(\w+)"', client.page("student/cy"))
    assert fresh
    status, text = client.send("cy", **drop, item_seen=fresh[1])
    assert (status, "2 students still have it: bo, cy" in text) == (422, True)
    for name in ("bo", "cy"):
        assert client.send(name, action="take", item="there-are-no-comments")[0] == 303
    assert client.send("cy", **drop, item_seen=fresh[1])[0] == 303
    text = (course / "adjustments.yaml").read_text()
    assert "there-are" not in text
    assert client.send("cy", action="add", why="The file can still be written.")[0] == 303


def test_an_entry_is_edited_and_removed(client: Client, course: Path) -> None:
    client.send("bo", action="add", points="+1", why="First.")
    client.send("ada", action="add", why="Of somebody else.")
    page = client.page("student/bo")
    edit = re.search(r"edit=(\w+)#add", page)
    assert edit
    form = client.page(f"student/bo?edit={edit[1]}")
    assert 'value="+1"' in form
    assert ">First.</textarea>" in form
    assert client.send("bo", page, action="add", instead=edit[1], points="+2", why="Second.")[0] == 303
    assert ("First." in written(course), "Second." in written(course)) == (False, True)
    line = re.search(r'name="line" value="(\w+)"', client.page("student/bo"))
    assert line
    assert client.send("bo", action="remove", line=line[1])[0] == 303
    assert ("Second." in written(course), "Of somebody else." in written(course)) == (False, True)


def test_an_entry_that_another_one_refers_to_stays_and_nothing_is_added(client: Client, course: Path) -> None:
    first, other = "student: bo, points: +1, why: &why First.", "student: ada, why: *why"
    before = f"adjustments:\n  - {{spec: echo, {first}}}\n  - {{spec: echo, {other}}}\n"
    (course / "adjustments.yaml").write_text(before)
    edit = re.search(r"edit=(\w+)#add", client.page("student/bo"))
    assert edit
    status, text = client.send("bo", action="add", instead=edit[1], points="+2", why="Second.")
    assert (status, "Nothing was written." in text, ">Second.</textarea>" in text) == (422, True, True)
    assert (course / "adjustments.yaml").read_text() == before


def test_a_new_item_that_cannot_be_given_is_not_made(client: Client, course: Path) -> None:
    before = "adjustments: [\n  {spec: echo, student: ada, why: Other.}, # a rubric can be added, a line cannot\n]\n"
    (course / "adjustments.yaml").write_text(before)
    status, text = client.send("bo", action="new-item", points="-2", why="There are no comments.", test="words")
    assert (status, "Nothing was written." in text) == (422, True)
    assert (course / "adjustments.yaml").read_text() == before


def test_a_decision_whose_pages_cannot_be_made_is_said_to_be_written(client: Client, course: Path) -> None:
    folder = course / "reports/echo/bo"
    folder.rename(course / "aside")
    folder.symlink_to(course / "aside")
    try:
        status, text = client.send("bo", action="add", points="+1", why="Written.")
    finally:
        folder.unlink()
        (course / "aside").rename(folder)
    assert (status, "Nothing was written" in text, "It is written in adjustments.yaml" in text) == (422, False, True)
    assert written(course).count("Written.") == 1
    assert ">Written.</textarea>" not in text


def test_an_assistant_who_saw_less_is_told_and_keeps_what_was_typed(course: Path, server: ReviewServer) -> None:
    with serving(course) as other:
        one, two = Client(server), Client(other)
        page = two.page("student/bo")
        assert one.send("bo", action="add", points="+1", why="By the first.")[0] == 303
        status, text = two.send("bo", page, action="add", points="+2", why="By the second.")
        assert status == 409
        assert "Somebody else changed what is decided about bo" in text
        assert "By the first." in text
        assert ">By the second.</textarea>" in text
        assert "By the second." not in written(course)
        assert two.send("bo", text, action="add", points="+2", why="By the second.")[0] == 303
        assert two.send("ada", action="add", why="Another student is no conflict.")[0] == 303


def test_two_processes_at_once_lose_nothing(course: Path, server: ReviewServer) -> None:
    """Each writes about students of its own; `grader adjust` of another process writes as well."""
    words = [sys.executable, "-P", "-m", "grader", "adjust", "cy", "--why", "By the command."]
    with serving(course) as other, subprocess.Popen(words, cwd=course, stdout=subprocess.DEVNULL) as command:
        clients = {"ada": Client(server), "bo": Client(other)}
        answers: list[int] = []

        def write(name: str) -> None:
            answers.extend(clients[name].send(name, action="add", why=f"Comment {number}.")[0] for number in range(4))

        threads = [threading.Thread(target=write, args=(name,)) for name in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert command.wait(100) == 0
    assert answers == [303] * 8
    text = written(course)
    assert (text.count('student: "ada"'), text.count('student: "bo"'), text.count("By the command.")) == (4, 4, 1)


def test_while_the_class_is_graded_nothing_is_written(client: Client, course: Path) -> None:
    with locked(course / "reports" / "echo"):
        status, text = client.send("bo", action="add", why="Typed.")
    assert (status, "another grader" in text, ">Typed.</textarea>" in text) == (422, True, True)
    assert not (course / "adjustments.yaml").exists()


def test_more_than_the_maximum_is_asked_for_again(client: Client, course: Path) -> None:
    status, text = client.send("ada", action="add", points="+5", why="A bonus.")
    assert (status, "15 of 10" in text, "Write it all the same" in text) == (422, True, True)
    assert client.send("ada", action="add", points="+5", why="A bonus.", above="yes")[0] == 303
    assert "points: +5" in written(course)


@each_row
def test_what_cannot_be_meant_is_told_and_changes_nothing(
    fields: dict[str, str], message: str, client: Client, course: Path
) -> None:
    status, text = client.send("bo", **fields)
    assert status in {409, 422}
    assert message in text
    assert not (course / "adjustments.yaml").exists()


def test_a_mistake_in_the_file_is_told_where_it_is(client: Client, course: Path) -> None:
    (course / "adjustments.yaml").write_text("adjustments:\n  - {spec: echo, student: bo, item: none}\n")
    answer, text = client.ask("GET", client.guard.base)
    assert answer.status == 409
    assert "adjustments.yaml:2:" in text
    assert "there is no &#34;none&#34; in the rubric of echo" in text


def test_results_of_another_spec_and_no_class_are_refused(course: Path, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="there is no class in"):
        open_reviewed(tmp_path, None, course)
    (course / "specs" / "other.yaml").write_text(
        (course / "specs" / "echo.yaml").read_text().replace("id: echo", "id: other")
    )
    try:
        with pytest.raises(Exception, match="has results of echo, and not of other"):
            open_reviewed(course / "reports" / "echo", "other", course)
    finally:
        (course / "specs" / "other.yaml").unlink()
