(* Tries to read what another student handed in from OCaml. Safe: 0, failed or crashed. *)
let see path =
  match open_in_bin path with
  | channel -> print_endline ("harm: read " ^ input_line channel)
  | exception _ -> print_endline "held"

let () =
  see (Sys.getenv "ROOM" ^ "/course/ocaml/honest/notes")
