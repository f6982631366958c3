% Tries to start threads without end. Safe: 0, failed or crashed or timeout or memory.
main :- forall(between(1, 5000, _), catch(thread_create(sleep(2), _, [detached(true)]), _, true)), halt(0).
