// Tries to rewrite the terminal of whoever looks from Rust. Safe: 0, failed.
fn main() {
    println!("{}", "\x1b[2J\x1b]0;mine\x1b[8m");
}
