"""A judgement is written down here, once: `to_report`. Everything else in this room shows what is written."""
