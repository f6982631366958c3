% Renée, devoir n° 2
queens(N, Board) :-
    numlist(1, N, Rows),
    board(N, Rows, Board).

% board(Col, Rows, Board): queens in the columns Col, Col - 1, ..., 1
board(0, _, []).
board(Col, Rows, [Col/Row|Board]) :-
    Col > 0,
    Next is Col - 1,
    select(Row, Rows, Rest),
    board(Next, Rest, Board),
    safe(Col/Row, Board).

safe(_, []).
safe(C/R, [C1/R1|Board]) :-
    C - C1 =\= R - R1,
    C - C1 =\= R1 - R,
    safe(C/R, Board).
