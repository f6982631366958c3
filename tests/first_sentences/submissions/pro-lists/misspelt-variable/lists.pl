:- use_module(library(lists)).

count(X, List, N) :-
    count_acc(List, X, 0, N).

count_acc([], _, Acc, Acc).
count_acc([Y|Ys], X, Acc, N) :-
    (   Y == X
    ->  Acc1 is Acc + 1
    ;   Acc1 = Acc
    ),
    count_acc(Ys, X, Acc1, N).

compress([], []).
compress([X|Xs], Pairs) :-
    compress(Xs, X, 1, Pairs).

compress([], X, N, [X-N]).
compress([X|Xs], Y, N, Pairs) :-
    (   X = Y
    ->  N1 is N + 1,
        compress(Xs, Y, N1, Pairs)
    ;   Pairs = [Y-N|More],
        compress(Xs, X, 1, More)
    ).

longest(List, X-N) :-
    compress(List, Pairs),
    Pairs = [X0-N0|Rest],
    foldl(longer, Rest, X0-N0, X-N).

longer(X-N, _-M, X-N) :- N > M, !.
longer(_, Best, Best).

even(X) :- X mod 2 =:= 0.

evens(List, Evens) :- include(even, List, Evens).

mean(List, Mean) :-
    List = [_|_],
    sum_list(List, Sum),
    length(List, Lenght),
    Mean is Sum / Length.
