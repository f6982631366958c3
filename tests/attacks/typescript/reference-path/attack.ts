// Tries to have the compiler show a file outside. Safe: 0, build-failed or failed.
/// <reference path="/proc/self/environ" />
/// <reference path="/etc/shadow" />
console.log("held");
