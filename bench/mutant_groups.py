"""Where code is changed, and which tests have to notice."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Group:
    """Modules, with the functions that count in each (none: all), and the tests that stand beside them."""

    modules: Mapping[str, tuple[str, ...]]
    tests: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    """files and tests of these that take long: they only show how much comes through, or the same of real commands"""


GROUPS = (
    Group(
        modules={
            "grader/core/judge/totals.py": (),
            "grader/core/judge/ending.py": (),
            "grader/core/judge/case.py": (),
            "grader/core/comparators/__init__.py": (),
            "grader/core/comparators/base.py": (),
            "grader/core/comparators/check.py": (),
            "grader/core/comparators/json.py": (),
            "grader/core/comparators/lines.py": (),
            "grader/core/comparators/regex.py": (),
            "grader/core/comparators/text.py": (),
            "grader/core/comparators/tokens.py": (),
        },
        tests=(
            "tests/core/judge",
            "tests/core/comparators",
            "tests/core/explain/test_across_cases.py",
            "tests/core/reader/test_check.py",
            "tests/core/reader/test_shares.py",
        ),
        ignored=(
            "tests/core/explain/test_across_cases.py::test_long_tables_of_many_cases_are_related_in_little_time",
            "tests/core/explain/test_across_cases.py::test_what_inputs_have_in_common_is_looked_for_in_little_time",
            "tests/core/judge/test_judge_bounds.py",
            "tests/core/judge/test_json.py::test_much_of_it",
        ),
    ),
    Group(
        modules={
            "grader/kinds/functions/compare_values.py": (),
            "grader/kinds/functions/judge.py": (),
            "grader/kinds/interactive/judge.py": (),
            "grader/kinds/memory_clean/judge.py": (),
            "grader/kinds/unit_tests/judge.py": (),
        },
        tests=(
            "tests/kinds/functions/test_call_sentences.py",
            "tests/kinds/functions/test_compare_values.py",
            "tests/kinds/functions/test_judge.py",
            "tests/kinds/functions/test_judged_values.py",
            "tests/kinds/functions/test_remarks.py",
            "tests/kinds/functions/test_returned_text.py",
            "tests/kinds/interactive/test_judge.py",
            "tests/kinds/memory_clean/test_judge.py",
            "tests/kinds/unit_tests/test_judge.py",
        ),
    ),
    Group(
        modules={
            "grader/core/model/report.py": (),
            "grader/kinds/style/model.py": (),
            "grader/core/model/execution.py": ("truncated_to_script_end",),
        },
        tests=(
            "tests/core/model",
            "tests/core/report/test_report_json.py",
            "tests/core/report/test_report_read_back.py",
            "tests/kinds/style/test_model.py",
        ),
    ),
    Group(
        modules={
            "grader/core/run/start.py": ("join_passes",),
            "grader/core/run/process.py": (
                *("time_credit", "is_starved", "_is_exhausted", "reap"),
                *("_look_at_share", "_passed_limit", "_doubts_of"),
            ),
            "grader/core/run/runner.py": ("limits_of", "limits_of_case"),
            "grader/core/run/measuring.py": (),
            "grader/core/pipeline.py": ("next_of", "is_lost"),
        },
        tests=(
            "tests/core/run/test_patience.py",
            "tests/core/run/test_launch.py",
            "tests/core/run/test_measured_again.py",
            "tests/core/run/test_interaction.py",
            "tests/core/run/test_near_a_limit.py",
            "tests/core/run/test_program_limits.py",
            "tests/core/run/test_work_budget.py",
        ),
        ignored=(
            "tests/core/run/test_work_budget.py::test_the_rest_has_the_reason_in_place_of_a_result",
            "tests/core/run/test_work_budget.py::test_a_command_that_never_ends_is_unknown_once_the_budget_is_over",
        ),
    ),
)
