"""What every page in HTML begins and ends with: its policy, its style and its script.

Of the pages of a class, of a course and of `grader review` a template of Jinja2 says the rest, and escapes it.
"""

import base64
import hashlib
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from markupsafe import Markup

FOLDERS = tuple(Path(__file__).parents[2] / room for room in ("core/report", "gradebook", "review"))
"""where templates, styles and scripts are: those of one report, of a class, and of `grader review`"""


@cache
def read_asset(name: str) -> str:
    """Read a style, a script or a template that belongs to a page."""
    return next(folder / name for folder in FOLDERS if (folder / name).exists()).read_text(encoding="utf-8")


def policy(style: str, script: str = "", forms: str = "'none'") -> str:
    """Write the content security policy of a page with this style, this script and `forms`, and nothing else."""
    hashes = {name: hashlib.sha256(text.encode()) for name, text in (("style", style), ("script", script)) if text}
    ours = (f"{name}-src 'sha256-{base64.b64encode(one.digest()).decode()}'" for name, one in hashes.items())
    return "; ".join(["default-src 'none'", *ours, "base-uri 'none'", f"form-action {forms}"])


_FRAME = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="{referrer}">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
{page}{script}</body>
</html>"""


def frame(
    title: str, page: Markup, style: str, script: str = "", *, forms: str = "'none'", referrer: str = "no-referrer"
) -> Markup:
    """Put what is in a page between what every page begins and ends with; `forms` is where its forms may be sent."""
    ours = f"<script>{script}</script>\n" if script else ""
    allowed = policy(style, script, forms)
    parts = {"page": page, "style": Markup(style), "script": Markup(ours)}  # noqa: S704 - as the policy has it
    return Markup(_FRAME).format(policy=allowed, referrer=referrer, title=title, **parts)  # noqa: S704 - a text of ours


def fill_page(template: str, style: str, script: str = "", *, forms: str = "'none'", **values: object) -> bytes:
    """Fill a template that extends `layout.html`; a value it asks for and does not get is an error."""
    page: str = _page(template).render(values, frame=partial(frame, style=style, script=script, forms=forms))
    return page.encode()


@cache
def _page(template: str) -> Any:
    jinja2 = import_module("jinja2")  # takes longer to import than a small program takes to run
    options = {"trim_blocks": True, "lstrip_blocks": True, "autoescape": True, "undefined": jinja2.StrictUndefined}
    return jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDERS), **options).get_template(template)
