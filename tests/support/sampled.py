"""Tests with a table of similar rows: CI runs the first row and every n-th of the others, `make soak` the rest.

A row of such a table takes its time, and what breaks one row breaks its neighbours. A table whose rows each have a
promise of their own does not stand here. `GRADER_TURN=1` to `GRADER_TURN=n-1` in the environment runs the others.
"""

import os
from collections.abc import Mapping


def in_sample(place: int, step: int) -> bool:
    """Return whether CI runs a row of a table: the first, and each n-th of the others."""
    return place == 0 or place % step == int(os.environ.get("GRADER_TURN", "0")) % step


_EACH: Mapping[int, str] = {
    2: """
        core/sandbox/test_memory.py::test_memory_ends_at_the_limit
        core/sandbox/test_neighbours.py::test_a_used_up_share_of_a_common_user_is_seen
        core/sandbox/test_neighbours.py::test_what_one_takes_no_other_lacks
        kinds/memory_clean/test_crash.py::test_the_cause_of_every_crash
        test_cli.py::test_a_strange_name_is_graded_shown_escaped_and_stays_inside
        test_results_links.py::test_a_link_in_place_of_the_store_is_not_written_through
    """,
    3: """
        author/test_new.py::test_it_lints_and_verifies_at_once
        author/test_public.py::test_a_right_sample_has_full_marks_by_the_copy
        check/test_verification.py::test_the_specs_of_this_repository_are_right
        core/report/test_report_page_browser.py::test_hostile_output_is_inert
        review/test_review_browser.py::test_a_page_fits_breaks_no_policy_and_can_be_used_by_everybody
        test_cli_pytest.py::test_nothing_of_a_submission_is_read_with_or_without_a_blank
        test_pytest_plugin.py::test_as_documented_nothing_of_a_submission_is_configuration
        test_results_links.py::test_a_link_in_place_of_a_file_is_replaced
        test_results_links.py::test_a_link_in_place_of_a_student_s_folder_is_refused
        test_results_links.py::test_a_link_that_leads_to_no_folder_is_refused
        test_results_links.py::test_a_stranger_s_link_is_refused_in_a_folder_of_theirs_too
    """,
    4: """
        test_docs.py::test_pages_fit_and_can_be_read
    """,
    5: """
        test_page_examples.py::test_a_right_program_gets_all_points_and_a_wrong_one_fewer
        test_pages.py::test_commands_do_what_is_shown
        core/deviations/test_long_texts.py::test_the_smallest_set_of_a_long_text
        core/deviations/test_long_texts.py::test_what_is_named_in_a_short_line_is_named_in_a_long_one
        core/judge/test_judge_bounds.py::test_memory_is_a_small_multiple
        core/report/test_report_page_browser.py::test_every_text_has_contrast
        core/report/test_report_page_browser.py::test_it_fits_any_width_and_loads_nothing_else
    """,
    6: """
        grading_class/test_cluster.py::test_every_shipped_spec_is_graded_on_a_cluster_as_it_is_here
    """,
    9: """
        kinds/source_rules/test_deep_nesting.py::test_what_nests_deep_is_read_or_refused
    """,
}

SAMPLED: Mapping[str, int] = {test: step for step, tests in _EACH.items() for test in tests.split()}
"""a test below `tests/` -> of so many of its rows CI runs one"""
SAMPLED_FILES = frozenset(test.partition("::")[0] for test in SAMPLED)
