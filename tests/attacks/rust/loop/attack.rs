// Tries to run for ever from Rust. Safe: 0, timeout.
fn main() {
    let mut number: u64 = 1;
    while number > 0 {
        number ^= std::env::args().count() as u64 & 2;
    }
}
