(* Tries to crash by values that it reads from text. Safe: 0, crashed or failed or memory. *)
let () =
  let text = "\x84\x95\xa6\xbe\x7f\xff\xff\xff\x7f\xff\xff\xff\x7f\xff\xff\xff\x7f\xff\xff\xff" in
  let value : int list = Marshal.from_string (text ^ String.make 40 'x') 0 in
  print_int (List.length value)
