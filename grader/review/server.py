"""The server of `grader review`: HTTP on 127.0.0.1, by the standard library, for who started it alone.

Not Starlette: one person on one machine needs no more than forms and pages, and a server is then no package more to
install, to update and to trust.

Other users of the machine reach a port of 127.0.0.1 as well, and so does every page that a browser shows. Against the
first there is a secret: the address that is printed has a token, for which the browser gets a cookie that no script
reads and that is sent to this server's own path alone, which servers on other ports do not know. Against the second
each request names whom it is meant for (`Host`: a name that was made to lead here is another one) and who sent it
(`Origin`); a change has to repeat a token that only our pages have.
"""

import hmac
import secrets
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from functools import partial
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode, urlsplit

from msgspec import Struct, field

from grader.core.errors import UsageError
from grader.core.report.html import fill_in, read_asset
from grader.core.text import show

LOOPBACK = "127.0.0.1"
MAX_FORM_BYTES, _MAX_FIELDS, _IDLE_SECONDS = 64 * 1024, 40, 60
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",  # the page's own policy has the rest
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_secret = partial(secrets.token_urlsafe, 24)


class Guard(Struct, frozen=True, kw_only=True):
    """The secrets of one run, which end with it."""

    port: int
    token: str = field(default_factory=_secret)  # in the address that is printed
    cookie: str = field(default_factory=_secret)  # what the browser has after it opened that address
    form_token: str = field(default_factory=_secret)  # in each form of our pages
    base: str = field(
        default_factory=lambda: f"/review-{secrets.token_hex(6)}/"
    )  # before each path; a slash at both ends

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"http://{LOOPBACK}:{self.port}{self.base}?token={self.token}"

    @property
    def cookie_name(self) -> str:
        """The name of the cookie: browsers keep one for all ports."""
        return f"grader-review-{self.port}"

    def why_refused(self, method: str, headers: Mapping[str, str]) -> tuple[HTTPStatus, str] | None:
        """Return why a request is refused before anything is read, if it is; its secrets are looked at later."""
        hosts = {f"{name}:{self.port}" for name in (LOOPBACK, "localhost")}
        if headers.get("Host", "") not in hosts:
            return HTTPStatus.MISDIRECTED_REQUEST, (
                f"This server answers at {LOOPBACK}:{self.port} alone. Over ssh, forward the same port: "
                f"ssh -L {self.port}:{LOOPBACK}:{self.port}"
            )
        origin, is_change = headers.get("Origin"), method == "POST"
        if origin is None and is_change:
            return HTTPStatus.FORBIDDEN, "A change has to say which page sent it."
        is_foreign = headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"} and is_change
        if is_foreign or (origin is not None and origin not in {f"http://{host}" for host in hosts}):
            return HTTPStatus.FORBIDDEN, "Another page sent this request."
        return None

    def has_cookie(self, headers: Mapping[str, str]) -> bool:
        """Whether the request has the cookie."""
        cookies: SimpleCookie = SimpleCookie()
        with suppress(CookieError):
            cookies.load(headers.get("Cookie", ""))
        cookie = cookies.get(self.cookie_name)
        return cookie is not None and _is_same(cookie.value, self.cookie)


def _is_same(given: str, known: str) -> bool:
    return hmac.compare_digest(given.encode(errors="replace"), known.encode())


class PageRequest(NamedTuple):
    """What a page is asked for; whoever asks has shown the secrets of this run."""

    guard: Guard
    path: tuple[str, ...]  # the parts behind the guard's `base`, as they were sent: still quoted
    parameters: Mapping[str, str]
    form: Mapping[str, str] | None  # the fields of a form that was sent; None when a page is only looked at


class PageResponse(NamedTuple):
    """A page, or the address to go to."""

    body: bytes = b""
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = {}


Application = Callable[[PageRequest], PageResponse]


class ReviewServer(ThreadingHTTPServer):
    """A server that ends with the command, whatever its connections do."""

    daemon_threads = True
    allow_reuse_address = True
    guard: Guard
    application: Application
    changing: Lock  # held while something is changed

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a connection that ended in the middle of a request."""


def start_server(port: int, application: Application) -> ReviewServer:
    """Bind the port, 0 for any free one; raises UsageError when it is taken."""
    try:
        server = ReviewServer((LOOPBACK, port), _Handler)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else "there is no such port"
        raise UsageError(f"port {port} of {LOOPBACK}: {reason}; choose another with --port, or leave it out") from error
    server.guard, server.application, server.changing = Guard(port=server.server_port), application, Lock()
    return server


def to_message(title: str, text: str, status: HTTPStatus = HTTPStatus.OK, link: str = "") -> PageResponse:
    """Return a page that says one thing, with a link to where it goes on."""
    style = read_asset("page.css") + read_asset("review.css")
    return PageResponse(fill_in("review_message.html", style, title=title, text=show(text), link=link), status)


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer
    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    server_version = "grader"
    sys_version = ""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
        """Say nothing: the terminal has the address, and a log would have the token."""

    def do_GET(self) -> None:
        """Answer with a page, or make a change."""
        try:
            response = self._respond()
        except (ConnectionError, TimeoutError):
            raise
        except Exception as error:  # noqa: BLE001 - a fault of ours is told, and the next page works
            text = f"A fault of the grader: {type(error).__name__}: {error}. Nothing more was written."
            response = to_message("This failed", text, HTTPStatus.INTERNAL_SERVER_ERROR, self.server.guard.base)
        self._send(response)

    do_POST = do_GET  # noqa: N815 - the standard library's name

    def _respond(self) -> PageResponse:
        guard = self.server.guard
        headers = {name.title(): ", ".join(self.headers.get_all(name, ())) for name in self.headers}
        if refused := guard.why_refused(self.command, headers):
            return self._refusal(*refused)
        address = urlsplit(self.path)
        parameters = _fields_of(address.query)
        is_ours = address.path.startswith(guard.base)
        if self.command == "GET" and is_ours and "token" in parameters:
            return self._send_cookie(address.path, parameters)
        if not is_ours or not guard.has_cookie(headers):
            return self._refusal(HTTPStatus.FORBIDDEN, "Open the address that `grader review` printed.")
        form = self._read_form() if self.command == "POST" else None
        if form is not None and not _is_same(form.get("token", ""), guard.form_token):
            return self._refusal(HTTPStatus.FORBIDDEN, "This form is of an earlier run: load the page anew.")
        path = tuple(address.path.removeprefix(guard.base).split("/"))
        with self.server.changing if form is not None else nullcontext():
            return self.server.application(PageRequest(guard, path, parameters, form))

    def _send_cookie(self, path: str, parameters: Mapping[str, str]) -> PageResponse:
        """Give the cookie to whoever has the token, and lead to the same address without it."""
        guard = self.server.guard
        if not _is_same(parameters["token"], guard.token):
            return self._refusal(HTTPStatus.FORBIDDEN, "This is not the address that `grader review` printed.")
        rest = urlencode({name: text for name, text in parameters.items() if name != "token"}, errors="surrogateescape")
        # A page and no redirection: the browser then sends the cookie, even if another site led here.
        cookie = f"{guard.cookie_name}={guard.cookie}; Path={guard.base}; HttpOnly; SameSite=Strict"
        headers = {"Set-Cookie": cookie, "Refresh": f"0; url={path}{'?' if rest else ''}{rest}"}
        return to_message("Review", "The class is being opened.", link=guard.base)._replace(headers=headers)

    def _read_form(self) -> Mapping[str, str]:
        """Read the fields of a form; what is none of ours has none."""
        length = self.headers.get("Content-Length", "")
        is_form = self.headers.get_content_type() == "application/x-www-form-urlencoded"
        if not (is_form and length.isascii() and length.isdigit() and int(length) <= MAX_FORM_BYTES):
            self.close_connection = True  # what else was sent is not read
            return {}
        return _fields_of(self.rfile.read(int(length)).decode(errors="replace"))

    def _refusal(self, status: HTTPStatus, text: str) -> PageResponse:
        self.close_connection = True
        return to_message("Not possible", text, status)

    def _send(self, response: PageResponse) -> None:
        if self.command == "POST" and self.close_connection:
            # Read a little more of the request: a connection that is closed before loses the answer.
            self.connection.settimeout(0.2)
            with suppress(OSError, ValueError):
                self.rfile.read1(MAX_FORM_BYTES)
            self.connection.settimeout(_IDLE_SECONDS)
        self.send_response(response.status)
        for name, value in {**_HEADERS, **response.headers, "Content-Length": str(len(response.body))}.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(response.body)


def _fields_of(written: str) -> dict[str, str]:
    """Read the fields of a form or an address, each once; none where there are too many."""
    try:
        fields = parse_qs(written, keep_blank_values=True, max_num_fields=_MAX_FIELDS, errors="surrogateescape")
    except ValueError:
        return {}
    return {name: values[-1] for name, values in fields.items()}
