:- getenv('ROOM', R), atom_concat(R, '/world/left-behind', P), open(P, write, S), close(S), atom_concat(har, 'm: wrote', Text), writeln(Text).
