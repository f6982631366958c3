% Draws the board of every answer.

queens(N, Qs) :-
    numlist(1, N, Rows),
    place(Rows, [], Qs),
    draw(Qs, Rows).

place([], Qs, Qs).
place(Rows, Placed, Qs) :-
    select(R, Rows, Rest),
    safe(R, Placed, 1),
    place(Rest, [R|Placed], Qs).

safe(_, [], _).
safe(R, [P|Ps], D) :- abs(R - P) =\= D, D1 is D + 1, safe(R, Ps, D1).

draw([], _) :- nl.
draw([Q|Qs], Rows) :-
    forall(member(R, Rows), ( R =:= Q -> write('Q ') ; write('. ') )),
    nl,
    draw(Qs, Rows).
