"""Notebooks of Jupyter: their cells, as Python reads them, and where each line is in its cell.

A notebook is JSON that a student decides. It is only parsed here, never run, and what is read of it is bounded.
"""
