(* Tries to leave files for whoever comes next from OCaml. Safe: 0, failed or crashed. *)
let put path harm =
  match open_out path with
  | channel ->
      output_string channel "mine";
      close_out channel;
      if harm then print_endline ("harm: wrote " ^ path)
  | exception _ -> print_endline "held"

let () =
  put "/tmp/left-behind-ocaml" false;
  put "/var/tmp/left-behind-ocaml" false;
  put "/dev/shm/left-behind-ocaml" false;
  put "/usr/bin/left-behind-ocaml" true;
  put "/etc/left-behind-ocaml" true;
  put "/srv/left-behind-ocaml" true
