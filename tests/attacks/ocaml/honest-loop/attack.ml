let sum n =
  let total = ref 0 in
  for i = 1 to n do
    total := !total + i
  done;
  !total

let () =
  let n = int_of_string Sys.argv.(1) in
  print_endline (string_of_int (sum n))
