(* Tries to end every process that it sees from OCaml. Safe: 0, failed or crashed or timeout. *)
let run command = print_int (Sys.command command)

let () =
  run "kill -9 -1; echo tried"
