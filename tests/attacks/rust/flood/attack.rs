// Tries to print without end from Rust. Safe: 0, output or failed or timeout.
fn main() {
    for _ in 0..2_000_000_000u64 {
        println!("and on");
    }
}
