(* Tries to read memory by Obj.magic. Safe: 0, crashed or failed. *)
let () =
  let text : string = Obj.magic 4096 in
  print_endline ("harm: " ^ String.sub text 0 (1 lsl 40))
