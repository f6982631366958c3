% Both of the last two clauses of place/4 match when no row is left.

queens(N, Qs) :-
    numlist(1, N, Rows),
    place(N, Rows, [], Qs).

place(_, [], Qs, Qs).
place(0, _, Qs, Qs).
place(K, Rows, Placed, Qs) :-
    K > 0,
    select(R, Rows, Rest),
    \+ attacked(R, Placed, 1),
    K1 is K - 1,
    place(K1, Rest, [R|Placed], Qs).

attacked(R, [P|_], D) :- abs(R - P) =:= D, !.
attacked(R, [_|Ps], D) :- D1 is D + 1, attacked(R, Ps, D1).
