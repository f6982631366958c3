:- module(sum, [sum/2]).

sum(N, S) :- findall(I, between(1, N, I), L), foldl([X, A, B]>>(B is A + X), L, 0, S).
