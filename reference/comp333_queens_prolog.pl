% Part 2 of the eight queens project of COMP 333: queens(N, Qs) finds every way to place N queens on a board of N by N
% squares so that none attacks another. Qs has the row of the queen in each column, from the left, counted from 1.

queens(N, Qs) :-
    numlist(1, N, Rows),
    place(Rows, [], Qs).

% place(Free, Placed, Qs): Qs are the queens in Placed, which has the column at hand first, and one in each row of Free.
place([], Placed, Qs) :-
    reverse(Placed, Qs).
place(Free, Placed, Qs) :-
    select(Row, Free, Others),
    peaceful(Placed, Row, 1),
    place(Others, [Row|Placed], Qs).

% peaceful(Placed, Row, Distance): a queen in Row, Distance columns from the first in Placed, shares no diagonal with any.
peaceful([], _, _).
peaceful([Other|Placed], Row, Distance) :-
    Distance =\= abs(Row - Other),
    Next is Distance + 1,
    peaceful(Placed, Row, Next).
