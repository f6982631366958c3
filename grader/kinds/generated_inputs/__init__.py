"""Inputs that are generated from a seed: numbers, arguments, standard input and files."""
