// Tries to take all memory from Rust. Safe: 0, memory or crashed or failed or timeout.
fn main() {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for number in 0..4000 {
        kept.push(vec![number as u8 + 1; 1 << 20]);
    }
    println!("{}", kept.len());
}
