% Tries to start processes without end. Safe: 0, failed or crashed or timeout or memory.
main :- catch(fork(_), _, true), get_time(T), ( flag(start, F, F), F =:= 0 -> U is ceiling(T) + 2, flag(start, _, U) ; true ), flag(start, End, End), ( T < End -> main ; halt(0) ).
