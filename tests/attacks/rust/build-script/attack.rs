// Tries to read and write outside by a build script. Safe: 0, build-failed or failed.
fn main() {
    println!("held");
}
