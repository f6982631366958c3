// Tries to read what another student handed in from Rust. Safe: 0, failed or crashed.
fn main() {
    show(&format!("{}/course/rust/honest/notes", std::env::var("ROOM").unwrap()));
}

fn show(path: &str) {
    match std::fs::read_to_string(path) {
        Ok(text) => println!("harm: read {}", text),
        Err(_) => println!("held"),
    }
}
