// Tries to write the products outside by .cargo/config.toml. Safe: 0, build-failed.
fn main() {
    println!("held");
}
