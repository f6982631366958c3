"""What verify and lint ask of its cases."""

from grader.kinds.functions.lint import (
    called_functions,
)
from grader.kinds.functions.lint import (
    function_lint_rules as lint_rules,
)
from grader.kinds.functions.lint import (
    impossible_values as contradictions,
)
from grader.kinds.functions.mutants import (
    called_names as entry_points,
)
from grader.kinds.functions.mutants import (
    excuse_without_function as excuse_reference,
)
from grader.kinds.functions.mutants import (
    given_to_functions as given,
)
from grader.kinds.functions.mutants import (
    mutate_calls as mutants,
)
from grader.kinds.functions.mutants import (
    silence_calls as silence,
)
from grader.kinds.functions.smaller import smaller_calls as smaller

__all__ = [
    "called_functions",
    "contradictions",
    "entry_points",
    "excuse_reference",
    "given",
    "lint_rules",
    "mutants",
    "silence",
    "smaller",
]
unfit_mutants = frozenset({"streams", "answers"})
