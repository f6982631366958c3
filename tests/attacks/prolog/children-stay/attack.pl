% Tries to leave children that hold the output open. Safe: 0, failed or crashed.
main :- shell('setsid sh -c "trap \\"\\" TERM HUP; sleep 30; : left-behind" &', S), writeln(S), halt(0).
