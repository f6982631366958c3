(* Tries to rewrite the terminal of whoever looks from OCaml. Safe: 0, failed. *)
let () =
  print_endline "\027[2J\027]0;mine\027[8m"
