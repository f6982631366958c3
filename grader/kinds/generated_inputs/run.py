"""Generated inputs of a submission."""

from grader.kinds.generated_inputs.generate import prepare_submission

__all__ = ["prepare_submission"]
