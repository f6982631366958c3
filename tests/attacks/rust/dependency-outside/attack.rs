// Tries to take a package from a folder outside. Safe: 0, build-failed.
fn main() {
    println!("held");
}
