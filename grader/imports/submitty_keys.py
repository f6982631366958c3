"""The keys of a `config.json` of Submitty, and what is said of those that a spec has no place for.

They are those that Submitty's own reader of the file knows. A key that is in no table here is told as well, so that
none is dropped in silence.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader.core.text import listed, one_line
from grader.imports.submitty_config import number_of

_LEFT_OUT = {
    "max_submission_size": "the size of a submission",
    "allow_system_calls": "which system calls are allowed: the sandbox decides",
    "assignment_message": "the message: write what students need under `about`",
    "gradeable_message": "the message: write what students need under `about`",
    "load_message": "the message: write what students need under `about`",
    "load_gradeable_message": "the message: write what students need under `about`",
    "conditional_message": "the message for some students",
    "part_names": "the names of the parts: a submission has to have the folders part1, part2, ...",
    "one_part_only": "one_part_only",
    "autograding": "the patterns of `autograding`: all files of a submission are there",
    "string_replacement": "string_replacement, by which each student has other test cases",
    "notebook": "the notebook",
    "textboxes": "the text boxes: students hand in files with these answers",
    "itempool": "the pool of items",
    "item_pool": "the pool of items, with its test cases: import each as an assignment of its own",
    "hide_submitted_files": "hide_submitted_files",
    "hide_version_and_test_details": "hide_version_and_test_details: name a `visibility` for each test",
    "early_submission_incentive": "early_submission_incentive",
    "global_input_generation_commands": "input that is generated",
    "container_options": "the image of the container: see `grader doctor` for what is installed",
    "max_submissions": "points off for many submissions",
}
"""a key of the whole file -> what is left out with it"""
_READ = frozenset(
    {
        *("testcases", "resource_limits", "grading_parameters", "autograding_method", "required_capabilities", "id"),
        *("timestamped_stdout", "publish_actions", "max_possible_grading_time"),
    }
)
"""of the whole file: read, or without an effect on points"""
_OF_CASE = frozenset(
    {
        *("type", "title", "details", "points", "extra_credit", "hidden", "release_hidden_details", "command"),
        *("containers", "executable_name", "validation", "actual_file", "one_of", "resource_limits", "pre_commands"),
        *("solution_commands", "input_generation_commands", "partial_credit", "allow_partial_credit", "penalty"),
        *("max_submissions", "warning_deduction", "dispatcher_actions", "actions", "solution_containers"),
        *("description", "testcase_id", "view_testcase_message", "testcase_label", "timestamped_stdout"),
        *("publish_actions", "use_router", "pattern", "single_port_per_container"),
    }
)
_OF_VALIDATOR = frozenset(
    {
        *("method", "actual_file", "expected_file", "expected_string", "deduction", "comparison", "ignoreWhitespace"),
        *("data", "lineSwapOk", "line_swap_ok", "ignore_line_endings", "extra_student_output", "tolerance"),
        *("max_char_changes", "min_char_changes", "term", "one_of", "num_tests", "command", "description"),
        *("failure_message", "show_message", "show_actual", "show_expected", "show_difference_image"),
        *("acceptable_threshold", "jvm_memory", "package", "class", "exclude_package", "exclude_class"),
        *("coverage_threshold", "instruction_coverage_threshold", "branch_coverage_threshold"),
        *("line_coverage_threshold", "complexity_coverage_threshold", "method_coverage_threshold"),
        *("partial_credit", "resource_limits"),
    }
)
_OF_CONTAINER = frozenset(
    ("commands", "container_name", "container_image", "number_of_ports", "server", "outgoing_connections")
)
_FREE = "custom_validator"
"""a method whose keys are its own"""


def key_notes(config: Mapping[str, Any], cases: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what is left out with the keys of a configuration, and which keys are not known."""
    yield from (f"Left out: {text}." for text in dict.fromkeys(_LEFT_OUT[key] for key in _LEFT_OUT if config.get(key)))
    graded = config.get("grading_parameters")
    if isinstance(graded, dict) and number_of(graded.get("TA_POINTS"), 0):
        yield "Left out: TA_POINTS, which a person gives."
    unknown = [(f"`{one_line(key, 40)}`", "config.json") for key in sorted(config.keys() - _LEFT_OUT.keys() - _READ)]
    for number, case in enumerate(cases):
        unknown += _unknown_keys(case, f"testcases[{number}]")
    if unknown:
        places = [f"{key} of {place}" for key, place in unknown]
        yield f"Keys that are not known, and change nothing here: {listed(places, most=8)}. Look them up."


def _unknown_keys(case: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
    parts: list[tuple[Any, frozenset[str], str]] = [(case, _OF_CASE, place)]
    validation, containers = case.get("validation"), case.get("containers")
    for number, one in enumerate(validation if isinstance(validation, list) else ()):
        if isinstance(one, dict) and one.get("method") != _FREE:
            parts.append((one, _OF_VALIDATOR, f"{place}.validation[{number}]"))
    for number, one in enumerate(containers if isinstance(containers, list) else ()):
        parts.append((one, _OF_CONTAINER, f"{place}.containers[{number}]"))
    for values, known, where in parts:
        names = sorted(values.keys() - known) if isinstance(values, dict) else ()
        yield from ((f"`{one_line(key, 40)}`", where) for key in names)
