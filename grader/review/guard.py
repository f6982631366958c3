"""Who may ask `grader review` for anything: the browser of the person who started it, and its own pages alone.

Other users of the machine reach a port of 127.0.0.1 as well, and so does every page that a browser shows. Against the
first there is a secret: the address that is printed has a token, for which the browser gets a cookie that no script
reads and that is sent to this server's own path alone. Other servers on 127.0.0.1 get the cookies of all ports, and do
not know the path. Against the second each request names whom it is meant for (`Host`: a name that was made to lead here
is another one) and who sent it (`Origin`); a change has to repeat a token that only our pages have.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie

LOOPBACK = "127.0.0.1"
_SECRET_BYTES = 24
_PATH_BYTES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """The secrets of one run, which end with it."""

    port: int
    token: str
    """in the address that is printed"""
    cookie: str
    """what the browser has after it opened that address"""
    form_token: str
    """in each form of our pages"""
    base: str
    """the path before all addresses, with a slash at both ends"""

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"http://{LOOPBACK}:{self.port}{self.base}?token={self.token}"

    @property
    def cookie_name(self) -> str:
        """The name of the cookie: browsers keep one for all ports."""
        return f"grader-review-{self.port}"

    @property
    def set_cookie(self) -> str:
        """The header that gives a browser its cookie."""
        return f"{self.cookie_name}={self.cookie}; Path={self.base}; HttpOnly; SameSite=Strict"


def new_guard(port: int) -> Guard:
    """Make the secrets of one run."""
    token, cookie, form_token = (secrets.token_urlsafe(_SECRET_BYTES) for _ in range(3))
    base = f"/review-{secrets.token_hex(_PATH_BYTES)}/"
    return Guard(port=port, token=token, cookie=cookie, form_token=form_token, base=base)


def why_refused(guard: Guard, method: str, headers: Mapping[str, str]) -> tuple[HTTPStatus, str] | None:
    """Return why a request is refused before anything is read, if it is; its secrets are looked at later."""
    hosts = {f"{name}:{guard.port}" for name in (LOOPBACK, "localhost")}
    if headers.get("Host", "") not in hosts:
        return HTTPStatus.MISDIRECTED_REQUEST, (
            f"This server answers at {LOOPBACK}:{guard.port} alone. Over ssh, forward the same port: "
            f"ssh -L {guard.port}:{LOOPBACK}:{guard.port}"
        )
    origin = headers.get("Origin")
    if origin is None and method == "POST":
        return HTTPStatus.FORBIDDEN, "A change has to say which page sent it."
    if origin is not None and origin not in {f"http://{host}" for host in hosts}:
        return HTTPStatus.FORBIDDEN, "Another page sent this request."
    if headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"} and method == "POST":
        return HTTPStatus.FORBIDDEN, "Another page sent this request."
    return None


def has_token(guard: Guard, token: str) -> bool:
    """Whether this is the token of the printed address."""
    return _is_same(token, guard.token)


def has_form_token(guard: Guard, token: str) -> bool:
    """Whether this is the token of our own forms."""
    return _is_same(token, guard.form_token)


def has_cookie(guard: Guard, headers: Mapping[str, str]) -> bool:
    """Whether the request has the cookie."""
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get("Cookie", ""))
    except CookieError:
        return False
    found = cookies.get(guard.cookie_name)
    return found is not None and _is_same(found.value, guard.cookie)


def _is_same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())
