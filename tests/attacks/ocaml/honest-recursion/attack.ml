let rec sum n = if n = 0 then 0 else n + sum (n - 1)

let () =
  let n = int_of_string Sys.argv.(1) in
  print_endline (string_of_int (sum n))
