(* Tries to reach a server of the machine from OCaml. Safe: 0, failed or crashed. *)
let run command = print_int (Sys.command command)

let () =
  run "bash -c 'exec 3<>/dev/tcp/127.0.0.1/'$PORT && echo harm: connected"
