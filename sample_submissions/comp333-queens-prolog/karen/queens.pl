% Larger boards take long, so there is one solution for the row in the middle,
% one half a board further, and so on: without an end.

queens(N, Qs) :-
    N < 8,
    numlist(1, N, Rows),
    place(Rows, [], Qs).
queens(N, Qs) :-
    N >= 8,
    numlist(1, N, Rows),
    Half is N // 2,
    between(1, inf, K),
    First is K * Half,
    select(First, Rows, Rest),
    once(place(Rest, [First], Qs)).

place([], Qs, Qs).
place(Rows, Placed, Qs) :-
    select(R, Rows, Rest),
    safe(R, Placed, 1),
    place(Rest, [R|Placed], Qs).

safe(_, [], _).
safe(R, [P|Ps], D) :- abs(R - P) =\= D, D1 is D + 1, safe(R, Ps, D1).
