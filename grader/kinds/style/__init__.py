"""A tool that looks at the style of the source; nothing is run."""
