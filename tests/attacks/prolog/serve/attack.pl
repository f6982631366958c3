% Tries to serve on all addresses, and be debugged from there. Safe: 0, failed or crashed or timeout.
main :-
    catch((use_module(library(http/thread_httpd)), http_server([R]>>true, [port('0.0.0.0':0)])), _, writeln(refused)),
    catch((use_module(library(prolog_server)), prolog_server(0, [])), _, writeln(refused)),
    catch(thread_create(thread_get_message(_), _, []), _, true),
    sleep(0.3), halt(0).
