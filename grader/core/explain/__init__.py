"""CaseResult -> CaseResult: why a case is wrong, and whether its result is believed; a look is imported when made."""
