% Tries to fill the memory with facts and atoms, which are on no stack. Safe: 0, crashed or memory or timeout.
:- dynamic fact/2.
main :- repeat, flag(n, N, N + 1), atom_concat(a, N, A), length(L, 200), assertz(fact(A, L)), fail.
