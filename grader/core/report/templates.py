"""Pages of which a template says what is in them, for Jinja2: those of a class, of a course, and of `grader review`.

What a template prints is escaped. None marks a text as safe, and `layout.html` puts it into the frame of every page.
"""

import marshal
import sys
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

import jinja2
from jinja2.bccache import Bucket

from grader.core.cache import user_cache
from grader.core.model import VERSION
from grader.core.report.frame import FOLDERS, frame


class _Compiled(jinja2.BytecodeCache):
    """Keeps templates as they were compiled, by their text: to compile them takes as long as a case."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket from the cache, if it has an entry."""
        if code := user_cache().look_up(self._key(bucket), bytes):
            bucket.code = marshal.loads(code)  # noqa: S302 - Python keeps our modules so, too

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what is in the bucket."""
        user_cache().store(self._key(bucket), marshal.dumps(bucket.code))

    def _key(self, bucket: Bucket) -> list[str | int]:
        """Return a key for a template, and for its compiler and target."""
        ours = Path(__file__).stat().st_mtime_ns
        return ["template", VERSION, ours, sys.version, jinja2.bccache.bc_magic.hex(), bucket.key, bucket.checksum]


class _Pages(jinja2.Environment):
    """Loads each template once, also where a thread loads it ahead while another one asks for it."""

    def __init__(self, **options: Any) -> None:
        """Take the options of any environment."""
        super().__init__(**options)
        self._loading = RLock()

    def get_template(self, *name: Any, **how: Any) -> jinja2.Template:
        """Return a template as any environment does, one at a time: a template may ask for others."""
        with self._loading:
            return super().get_template(*name, **how)


ENVIRONMENT = _Pages(
    loader=jinja2.FileSystemLoader(FOLDERS),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
    bytecode_cache=_Compiled(),
)


def fill_page(template: str, style: str, script: str = "", *, forms: str = "'none'", **values: object) -> bytes:
    """Fill a template that extends `layout.html`; a value it asks for and does not get is an error."""
    page = ENVIRONMENT.get_template(template)
    return page.render(values, frame=partial(frame, style=style, script=script, forms=forms)).encode()
