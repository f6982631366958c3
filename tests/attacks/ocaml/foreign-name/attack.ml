(* Tries to call a C function that is not there. Safe: 0, build-failed. *)
external harm : string -> int = "left_behind_harm"
let () = print_int (harm "x")
