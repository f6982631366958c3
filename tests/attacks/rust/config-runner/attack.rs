// Tries to have its own linker by .cargo/config.toml. Safe: 0, build-failed or failed.
fn main() {
    println!("held");
}
