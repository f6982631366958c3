(* Tries to leave a process that answers later from OCaml. Safe: 0, failed or crashed or timeout. *)
let run command = print_int (Sys.command command)

let () =
  run "(sleep 4; cp /bin/sleep ./attack-left-behind; ./attack-left-behind 60) & echo tried"
