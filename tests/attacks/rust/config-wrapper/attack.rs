// Tries to put a program of its own before the compiler by .cargo/config.toml. Safe: 0, build-failed or failed.
fn main() {
    println!("held");
}
