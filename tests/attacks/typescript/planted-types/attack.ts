// Tries to bring types that lie. Safe: 0, crashed or failed or build-failed.
import { answer } from "answers";
console.log(answer);
