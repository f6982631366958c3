// Tries to read outside by a macro that the compiler runs. Safe: 0, failed or build-failed.
mine::read!();

fn main() {
    println!("{TEXT}");
}
