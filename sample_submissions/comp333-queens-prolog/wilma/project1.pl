% Eight queens, part 2. Generate a permutation of the rows, then test it.

queens(N, Qs) :-
    numlist(1, N, Rows),
    permutation(Rows, Qs),
    safe(Qs).

safe([]).
safe([Q|Qs]) :-
    no_attack(Q, Qs, 1),
    safe(Qs).

no_attack(_, [], _).
no_attack(Q, [Other|Qs], Dist) :-
    Q =\= Other + Dist,
    Q =\= Other - Dist,
    Dist1 is Dist + 1,
    no_attack(Q, Qs, Dist1).
