(* Tries to take all memory from OCaml. Safe: 0, memory or crashed or failed or timeout. *)
let () =
  let rec grow kept = grow (Bytes.make 1048576 'm' :: kept) in
  grow []
