:- initialization((forall(member(P, ['/tmp/left-behind-start', '/srv/left-behind-start']), catch((open(P, write, S), close(S)), _, true)))).
:- initialization(format("harm: was started~n")).
