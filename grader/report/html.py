"""Pages in HTML: one file each, that loads nothing, and in which only our own style and script can act.

Three fences stand around what students wrote. `grader.text` has made it printable; the environment here escapes
whatever a template prints; and the page's policy lets the browser use no style and no script but those whose hash it
names, and fetch nothing at all. So no template has a `style` attribute or an `on…` attribute, and none marks a text as
safe: only `layout.html` does, for the style and the script.
"""

import base64
import hashlib
from pathlib import Path

import jinja2

FOLDER = Path(__file__).parent
"""where templates, styles and scripts are"""

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(FOLDER),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)


def read(name: str) -> str:
    """Read a style or a script that belongs to a page."""
    return (FOLDER / name).read_text(encoding="utf-8")


def policy(style: str, script: str = "") -> str:
    """Write the content security policy of a page with this style and this script, and nothing else."""
    parts = ["default-src 'none'", f"style-src {_source(style)}"]
    if script:
        parts.append(f"script-src {_source(script)}")
    return "; ".join([*parts, "base-uri 'none'", "form-action 'none'"])


def render(template: str, style: str, script: str = "", **values: object) -> bytes:
    """Fill a template that extends `layout.html`; a value it asks for and does not get is an error."""
    page = ENVIRONMENT.get_template(template)
    return page.render(values, style=style, script=script, policy=policy(style, script)).encode()


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
