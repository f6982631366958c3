// Tries to reach a server at build time. Safe: 0, failed or build-failed.
fn main() {
    println!("held");
}
