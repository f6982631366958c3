% Tries to write into the system, by saved states too. Safe: 0, failed.
main :-
    forall(member(Path, ['/usr/bin/left-behind', '/etc/left-behind', '/usr/lib/swi-prolog/library/left-behind.pl', '/proc/sys/kernel/core_pattern']),
        catch((open(Path, write, S), write(S, x), close(S), format("harm: wrote ~w~n", [Path])), _, writeln(refused))),
    catch((qsave_program('/srv/left-behind', []), writeln('harm: saved')), _, writeln(refused)),
    catch((make_directory('/opt/left-behind'), writeln('harm: made')), _, writeln(refused)).
