// Tries to import what lies outside. Safe: 0, build-failed or failed.
import * as secret from "../../course/reference/sum";
console.log(secret);
