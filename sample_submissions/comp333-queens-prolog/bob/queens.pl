% Every queen takes a column, a row, a rising and a falling diagonal
% out of the lists of those that are still free.

queens(N, Qs) :-
    numlist(1, N, Cols),
    numlist(1, N, Rows),
    Min is 1 - N, Max is N - 1,
    numlist(Min, Max, Falling),
    Twice is 2 * N,
    numlist(2, Twice, Rising),
    place(Cols, Rows, Falling, Rising, Qs).

place([], _, _, _, []).
place([C|Cols], Rows, Falling, Rising, [R|Qs]) :-
    select(R, Rows, Rows1),
    F is C - R,
    select(F, Falling, Falling1),
    S is C + R,
    select(S, Rising, Rising1),
    place(Cols, Rows1, Falling1, Rising1, Qs).
