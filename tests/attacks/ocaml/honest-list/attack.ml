let () =
  let n = int_of_string Sys.argv.(1) in
  print_endline (string_of_int (List.fold_left ( + ) 0 (List.init n succ)))
