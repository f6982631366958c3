"""Notebooks of Jupyter, which are only parsed here, and read up to a bound: cells, and where each line is in one."""
