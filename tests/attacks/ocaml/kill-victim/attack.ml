(* Tries to end a process of somebody else from OCaml. Safe: 0, failed or crashed. *)
let run command = print_int (Sys.command command)

let () =
  run "kill -9 $VICTIM; kill -19 $VICTIM; echo tried"
