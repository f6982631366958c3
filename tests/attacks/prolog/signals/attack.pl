% Tries to kill what is not its own. Safe: 0, failed or crashed or timeout.
:- use_module(library(process)).
main :-
    getenv('VICTIM', A), atom_number(A, Pid),
    catch((process_kill(Pid, 9), writeln('harm: killed')), _, writeln(refused)),
    shell('kill -9 $VICTIM -$VICTIM $PPID 2> /dev/null', _),
    shell('kill -9 -1', _).
