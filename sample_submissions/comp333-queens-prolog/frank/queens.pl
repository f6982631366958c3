queens(N, Qs) :-
    numlist(1, N, Rows),
    permutation(Rows, Qs),
    safe(Qs).

safe([]).
safe([Q|Qs]) :- no_attack(Q, Qs, 1), safe(Qs)

no_attack(_, [], _).
no_attack(Q, [P|Ps], D) :-
    abs(Q - P) =\= D,
    D1 is D + 1,
    no_attack(Q, Ps, D1).
