"""Stage 1, YAML -> `Spec`: strict, with line and column, all mistakes at once."""
