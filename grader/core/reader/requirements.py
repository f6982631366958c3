"""The key `requires`: names of packages for Python with their versions, and nothing else that pip would take."""

import re
from collections import Counter

from grader.core.yaml.value import Value, each_of, in_quotes, text, unwanted, wrong

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_ONE_VERSION = r"(?:==|!=|>=|<=|~=|>|<) ?[0-9][A-Za-z0-9.+!-]*(?:\.\*)?"
REQUIREMENT = rf"^{_NAME}(?: ?\[{_NAME}(?:, ?{_NAME})*\])?(?: ?{_ONE_VERSION}(?: ?, ?{_ONE_VERSION})*)?$"
"""PEP 508 without addresses and markers: a name, parts of it in brackets, versions"""


def read_requires(value: Value) -> tuple[str, ...]:
    """Read the packages that an assignment requires, each as pip reads it: without spaces."""
    context = value.context
    if context.language and (context.languages.get(context.language, {}).get("like") or context.language) != "python":
        wrong(value, f"packages are for Python, and `language` is {in_quotes(context.language)}")
    found = each_of(read_requirement, "at least one package")(value)
    if repeated := [name for name, times in Counter(map(package_name, found)).items() if times > 1]:
        wrong(value, f"{in_quotes(repeated[0])} is in this list more than once: keep one")
    return found


def package_name(requirement: str) -> str:
    """Return the name in a requirement, as the index spells it: PEP 503."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", requirement)[0]).lower()


def read_requirement(value: Value) -> str:
    """Read a package with its versions."""
    if not re.fullmatch(REQUIREMENT, written := text(value), re.ASCII):
        unwanted(value, "a package such as numpy or numpy>=1.26, without addresses and options of pip")
    return written.replace(" ", "")
