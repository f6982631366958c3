// Tries to end every process that it sees from Rust. Safe: 0, failed or crashed or timeout.
fn main() {
    run("kill -9 -1; echo tried");
}

fn run(command: &str) {
    let done = std::process::Command::new("/bin/sh").arg("-c").arg(command).output();
    println!("{}", done.is_ok());
    if let Ok(found) = done {
        println!("{}", String::from_utf8_lossy(&found.stdout));
    }
}
