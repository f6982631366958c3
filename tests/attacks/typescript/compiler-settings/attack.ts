// Tries to write outside by settings of the compiler. Safe: 0, build-failed or failed.
console.log("held");
