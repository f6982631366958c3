// Tries to take all of the stack from Rust. Safe: 0, crashed or memory or timeout or failed.
fn main() {
    println!("{}", deeper(1));
}

fn deeper(number: u64) -> u64 {
    deeper(number + std::env::args().count() as u64) + number
}
