// Tries to leave a process that answers later from Rust. Safe: 0, failed or crashed or timeout.
fn main() {
    run("(sleep 4; cp /bin/sleep ./attack-left-behind; ./attack-left-behind 60) & echo tried");
}

fn run(command: &str) {
    let done = std::process::Command::new("/bin/sh").arg("-c").arg(command).output();
    println!("{}", done.is_ok());
    if let Ok(found) = done {
        println!("{}", String::from_utf8_lossy(&found.stdout));
    }
}
