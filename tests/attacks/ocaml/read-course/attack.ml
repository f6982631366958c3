(* Tries to read the spec and the reference from OCaml. Safe: 0, failed or crashed. *)
let see path =
  match open_in_bin path with
  | channel -> print_endline ("harm: read " ^ input_line channel)
  | exception _ -> print_endline "held"

let () =
  see (Sys.getenv "ROOM" ^ "/course/specs/ocaml.yaml");
  see (Sys.getenv "ROOM" ^ "/course/reference/sum.py")
