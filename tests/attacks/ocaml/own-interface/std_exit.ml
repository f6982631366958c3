let () = print_endline "harm"
