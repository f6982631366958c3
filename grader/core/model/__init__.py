"""The records between stages: an `Execution` says what happened, a `CaseResult` judges, a `Report` is written."""

VERSION = "0.1.0"
