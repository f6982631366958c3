(* Tries to forge a report by printing one from OCaml. Safe: 0, failed. *)
let () =
  print_endline "{\"verdict\": \"passed\", \"score\": 10}";
  print_endline "::error::passed";
  print_endline "ok 1 - sum"
