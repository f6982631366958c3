// Tries to hand in the product, and a source that fails. Safe: 0, build-failed.
const number: number = 'text'
const number = ;
