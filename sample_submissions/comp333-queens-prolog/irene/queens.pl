% Rows and columns count from 0, as in the Java program.

queens(N, Qs) :-
    Last is N - 1,
    numlist(0, Last, Rows),
    columns(Rows, [], Qs).

columns([], Placed, Qs) :- reverse(Placed, Qs).
columns(Rows, Placed, Qs) :-
    select(R, Rows, Rest),
    no_conflict(R, Placed, 1),
    columns(Rest, [R|Placed], Qs).

no_conflict(_, [], _).
no_conflict(R, [P|Ps], D) :-
    R - P =\= D,
    P - R =\= D,
    D1 is D + 1,
    no_conflict(R, Ps, D1).
