% Every solution of the half in which the first queen is in the left half of the board, and with it its mirror image: for
% an odd number of queens those with the first queen in the middle come twice.

queens(N, Qs) :-
    Half is (N + 1) // 2,
    numlist(1, N, Rows),
    between(1, Half, First),
    select(First, Rows, Rest),
    place(Rest, [First], Found),
    reverse(Found, Board),
    ( Qs = Board ; mirrored(Board, N, Qs) ).

place([], Board, Board).
place(Rows, Before, Board) :-
    select(Row, Rows, Rest),
    quiet(Row, Before, 1),
    place(Rest, [Row|Before], Board).

quiet(_, [], _).
quiet(Row, [Other|Before], D) :-
    Row - Other =\= D,
    Other - Row =\= D,
    D1 is D + 1,
    quiet(Row, Before, D1).

mirrored([], _, []).
mirrored([Row|Rows], N, [Other|Others]) :-
    Other is N + 1 - Row,
    mirrored(Rows, N, Others).
