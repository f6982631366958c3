(* Tries to write into a file that everybody may write from OCaml. Safe: 0, failed or crashed. *)
let put path harm =
  match open_out path with
  | channel ->
      output_string channel "mine";
      close_out channel;
      if harm then print_endline ("harm: wrote " ^ path)
  | exception _ -> print_endline "held"

let () =
  put (Sys.getenv "ROOM" ^ "/world/precious") true
