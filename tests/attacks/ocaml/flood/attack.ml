(* Tries to print without end from OCaml. Safe: 0, output or failed or timeout. *)
let () =
  for _ = 1 to 2_000_000_000 do
    print_endline "and on"
  done
