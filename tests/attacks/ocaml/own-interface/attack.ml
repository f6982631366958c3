(* Tries to bring a compiled Stdlib of its own. Safe: 0, build-failed or failed or crashed. *)
let () = print_endline "held"
