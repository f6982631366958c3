(* Tries to run for ever from OCaml. Safe: 0, timeout. *)
let () =
  while Sys.argv.(0) <> "" do
    ()
  done
