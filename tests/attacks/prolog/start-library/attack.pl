% Tries to shadow libraries of the interpreter. Safe: 10, passed.
:- use_module(library(lists)).
:- use_module(library(readutil)).
main :- argument(N), S is N * (N + 1) // 2, writeln(S).
argument(N) :- current_prolog_flag(argv, Argv), last(Argv, A), atom_number(A, N).
