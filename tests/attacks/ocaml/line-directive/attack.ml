(* Tries to have an error message show a file outside. Safe: 0, build-failed. *)
# 1 "/proc/self/environ"
let () = 1 + "text"
# 1 "/etc/shadow"
let () = 2
