% The cut keeps the first solution only.

queens(N, Qs) :-
    numlist(1, N, Rows),
    place(Rows, [], Qs), !.

place([], Qs, Qs).
place(Rows, Placed, Qs) :-
    select(R, Rows, Rest),
    safe(R, Placed, 1),
    place(Rest, [R|Placed], Qs).

safe(_, [], _).
safe(R, [P|Ps], D) :-
    abs(R - P) =\= D,
    D1 is D + 1,
    safe(R, Ps, D1).
