(* Tries to give the run-time options by a file. Safe: 0, failed. *)
let () = print_endline (try Sys.getenv "OCAMLRUNPARAM" with Not_found -> "none")
