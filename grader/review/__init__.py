"""What the source of a submission has and lacks, by its syntax trees: nothing of it is run."""

from grader.review.examination import check_grammars, examine_source

__all__ = ["check_grammars", "examine_source"]
