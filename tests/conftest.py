"""What holds for all tests."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# A thousand starts of the program compile it once, also on machines that are told to keep nothing of what they compile.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


# A loaded machine is slow and not wrong: no example may fail for the time that it takes.
settings.register_profile("grader", deadline=None)
settings.load_profile("grader")

collect_ignore = ["attacks"]


@pytest.fixture(scope="session")
def cache_of_all(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder for what grader keeps by content: one for all workers of pytest."""
    folder = tmp_path_factory.getbasetemp()
    return (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "shared-cache"


@pytest.fixture
def shared_cache(monkeypatch: pytest.MonkeyPatch, cache_of_all: Path) -> None:
    """Let a test find what others kept, for a command that finds nothing takes twice the time."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_all))
