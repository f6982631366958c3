:- use_module(library(clpfd)).
main :- argument(N), S #= N * (N + 1) // 2, writeln(S).

argument(N) :- current_prolog_flag(argv, Argv), last(Argv, A), atom_number(A, N).
