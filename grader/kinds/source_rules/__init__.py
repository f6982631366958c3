"""Rules on the source of a submission, by its syntax trees; nothing is run."""
