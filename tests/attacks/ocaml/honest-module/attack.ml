module Numbers = struct
  let sum n = Seq.fold_left ( + ) 0 (List.to_seq (List.init n (fun i -> i + 1)))
end

let () =
  let n = int_of_string Sys.argv.(1) in
  print_endline (string_of_int (Numbers.sum n))
