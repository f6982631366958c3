// Tries to have valgrind report no errors, from C++. Safe: ungraded, ungraded.
