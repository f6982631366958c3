(* Tries to take all of the stack from OCaml. Safe: 0, crashed or memory or timeout or failed. *)
let () =
  let rec deeper number = 1 + deeper (number + 1) in
  print_int (deeper 1)
