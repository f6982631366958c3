% Tries to search without end and catch what would end it. Safe: 0, timeout or crashed.
main :- on_signal(term, _, ignore), catch(loop, _, main), main.
loop :- repeat, fail.
