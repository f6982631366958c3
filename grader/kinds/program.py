"""A plain start of the program: what every other kind differs from."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="program",
    # ---- smaller inputs
    smaller=lazy_call("grader.smallest", "smaller_inputs"),
)
