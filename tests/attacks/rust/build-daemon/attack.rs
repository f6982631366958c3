// Tries to leave a process behind at build time. Safe: 0, failed or build-failed.
fn main() {
    println!("held");
}
