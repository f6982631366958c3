// Tries to leave files for whoever comes next from Rust. Safe: 0, failed or crashed.
fn main() {
    write("/tmp/left-behind-rust", false);
    write("/var/tmp/left-behind-rust", false);
    write("/dev/shm/left-behind-rust", false);
    write("/usr/bin/left-behind-rust", true);
    write("/etc/left-behind-rust", true);
    write("/srv/left-behind-rust", true);
}

fn write(path: &str, harm: bool) {
    if std::fs::write(path, "mine").is_ok() && harm {
        println!("harm: wrote {}", path);
    }
}
