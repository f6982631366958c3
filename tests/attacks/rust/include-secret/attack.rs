// Tries to include the grader's home at compile time. Safe: 0, build-failed.
const TEXT: &str = include_str!(concat!(env!("ROOM"), "/home/.netrc"));

fn main() {
    println!("harm: {TEXT}");
}
