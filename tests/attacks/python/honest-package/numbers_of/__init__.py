from .sums import total

__all__ = ["total"]
