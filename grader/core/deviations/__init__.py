"""How a text differs from the expected one, in the smallest set of named kinds, and in sentences.

`explanation` overlooks blanks and capitals and finds the smallest set, `restore` takes back what concerns whole
answers (`listings`, `wording`), and `sentences` explains each kind to a student. Nothing here knows of a spec:
two texts and what is tolerated go in, kinds and sentences come out.
"""
