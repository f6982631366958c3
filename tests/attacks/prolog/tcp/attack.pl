% Tries to reach a server of the machine. Safe: 0, failed or crashed.
:- use_module(library(socket)).
main :-
    getenv('PORT', A), atom_number(A, Port),
    catch((tcp_connect('127.0.0.1':Port, S, []), writeln('harm: connected'), close(S)), E, (print_message(error, E))),
    catch((tcp_host_to_address('example.org', I), format("harm: ~w~n", [I])), _, writeln(refused)).
