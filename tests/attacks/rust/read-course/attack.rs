// Tries to read the spec and the reference from Rust. Safe: 0, failed or crashed.
fn main() {
    show(&format!("{}/course/specs/rust.yaml", std::env::var("ROOM").unwrap()));
    show(&format!("{}/course/reference/sum.py", std::env::var("ROOM").unwrap()));
}

fn show(path: &str) {
    match std::fs::read_to_string(path) {
        Ok(text) => println!("harm: read {}", text),
        Err(_) => println!("held"),
    }
}
