// Tries to read what the grader's home holds from Rust. Safe: 0, failed or crashed.
fn main() {
    show(&format!("{}/home/.netrc", std::env::var("ROOM").unwrap()));
    show(&format!("{}/home/.ssh/id", std::env::var("ROOM").unwrap()));
}

fn show(path: &str) {
    match std::fs::read_to_string(path) {
        Ok(text) => println!("harm: read {}", text),
        Err(_) => println!("held"),
    }
}
