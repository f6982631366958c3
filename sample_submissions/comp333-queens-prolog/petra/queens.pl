% Rows from 0, and the last column first.

queens(N, Qs) :- build(N, N, [], Qs).

build(0, _, Qs, Qs) :- !.
build(K, N, Placed, Qs) :-
    Last is N - 1,
    between(0, Last, Row),
    \+ hit(Row, 1, Placed),
    K1 is K - 1,
    build(K1, N, [Row|Placed], Qs).

hit(Row, _, [Row|_]).
hit(Row, D, [Other|_]) :- D is abs(Row - Other).
hit(Row, D, [_|Placed]) :- D1 is D + 1, hit(Row, D1, Placed).
