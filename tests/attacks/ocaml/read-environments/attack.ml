(* Tries to read the environment of every process from OCaml. Safe: 0, failed or crashed. *)
let run command = print_int (Sys.command command)

let () =
  run "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep canary; echo done"
