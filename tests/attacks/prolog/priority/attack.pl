% Tries to take the time of others by a priority. Safe: 0, failed or crashed.
main :-
    forall(member(C, ['renice -n 19 -p $VICTIM', 'chrt -i -p 0 $VICTIM', 'taskset -p 1 $VICTIM', 'prlimit --pid $VICTIM --nofile=3']),
        ( atom_concat(C, ' > /dev/null 2>&1', D), ( shell(D, 0) -> format("harm: ~w~n", [C]) ; writeln(refused) ) )).
