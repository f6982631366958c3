# Tries to call by a letter of Latin 1 that stands for one of ASCII. Safe: 0, failed.
# coding: latin-1
evªl("print(1)")
