// Tries to write into a file that everybody may write from Rust. Safe: 0, failed or crashed.
fn main() {
    write(&format!("{}/world/precious", std::env::var("ROOM").unwrap()), true);
}

fn write(path: &str, harm: bool) {
    if std::fs::write(path, "mine").is_ok() && harm {
        println!("harm: wrote {}", path);
    }
}
