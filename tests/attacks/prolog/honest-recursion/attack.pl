main :- argument(N), sum(N, S), print(S), nl.
sum(0, 0) :- !.
sum(N, S) :- M is N - 1, sum(M, T), S is T + N.

argument(N) :- current_prolog_flag(argv, Argv), last(Argv, A), atom_number(A, N).
