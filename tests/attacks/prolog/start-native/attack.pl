% Tries to load native code, and start the interpreter once more. Safe: 0, failed or crashed.
main :-
    catch((load_foreign_library('./evil.so'), writeln('harm: loaded')), _, writeln(refused)),
    catch((open_shared_object('/usr/lib/x86_64-linux-gnu/libc.so.6', H), writeln(H)), _, writeln(refused)),
    shell('XDG_CONFIG_HOME=. LD_PRELOAD=./evil.so swipl -f evil.pl -g true -t halt', S), writeln(S).
