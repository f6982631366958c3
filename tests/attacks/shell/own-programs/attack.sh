# Tries to be found instead of the system's programs. Safe: 0, failed.
PATH=.:$PATH; echo mine
