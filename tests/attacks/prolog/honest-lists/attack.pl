:- use_module(library(lists)).
:- use_module(library(aggregate)).
main :- argument(N), numlist(1, N, L), sum_list(L, S), aggregate_all(sum(X), member(X, L), S), format("~d~n", [S]).

argument(N) :- current_prolog_flag(argv, Argv), last(Argv, A), atom_number(A, N).
