% Prints the solutions itself and answers nothing: the second argument stays a variable.

queens(N, _) :-
    numlist(1, N, Rows),
    permutation(Rows, Board),
    peaceful(Board),
    print_board(Board).

peaceful([]).
peaceful([Q|Qs]) :-
    peaceful(Qs, Q, 1),
    peaceful(Qs).

peaceful([], _, _).
peaceful([Other|Qs], Q, D) :-
    abs(Other - Q) =\= D,
    D1 is D + 1,
    peaceful(Qs, Q, D1).

print_board(Board) :-
    write(Board),
    nl.
