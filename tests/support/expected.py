"""Where the course of the repository lies: its specs, and the samples that `expected.yaml` states."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_submissions"
