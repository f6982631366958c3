// Tries to load its own module first by settings of node. Safe: 0, failed or crashed.
console.log("held");
