% Tries to mount, unshare and trace by the tools of the system. Safe: 0, failed or crashed.
main :-
    forall(member(C, ['unshare -Ur id -u', 'unshare -m true', 'mount -t tmpfs none /tmp', 'chroot / id', 'nsenter -t 1 -m true', 'sudo -n id', 'strace -p $VICTIM']),
        ( format(atom(D), "timeout 1 ~w > /dev/null 2>&1", [C]), ( shell(D, 0) -> format("harm: ~w~n", [C]) ; writeln(refused) ) )).
