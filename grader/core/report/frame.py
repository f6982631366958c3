"""What every page in HTML begins and ends with: its policy, its style and its script.

Of the pages of a class, of a course and of `grader review` a template says what is in them, for Jinja2. What a template
prints is escaped, and none marks a text as safe.
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
    """Write the content security policy of a page with this style and this script, and nothing else.

    `forms` is where its forms may be sent.
    """
    parts = ["default-src 'none'"]
    for directive, text in {"style-src": style, "script-src": script}.items():
        if text or directive == "style-src":
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            parts.append(f"{directive} 'sha256-{digest}'")
    return "; ".join([*parts, "base-uri 'none'", f"form-action {forms}"])


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
    """Put what is in a page between what every page begins and ends with."""
    ours = Markup("<script>{}</script>\n").format(Markup(script)) if script else ""  # noqa: S704 - as the policy has it
    return Markup(_FRAME).format(  # noqa: S704 - a text of ours
        policy=policy(style, script, forms),
        referrer=referrer,
        title=title,
        style=Markup(style),  # noqa: S704 - as the policy has it
        page=page,
        script=ours,
    )


def fill_page(template: str, style: str, script: str = "", *, forms: str = "'none'", **values: object) -> bytes:
    """Fill a template that extends `layout.html`; a value it asks for and does not get is an error."""
    page = _templates().get_template(template)
    filled: str = page.render(values, frame=partial(frame, style=style, script=script, forms=forms))
    return filled.encode()


@cache
def _templates() -> Any:
    jinja2 = import_module("jinja2")  # takes longer to import than a small program takes to run
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDERS),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
