// Tries to read the environment of every process from Rust. Safe: 0, failed or crashed.
fn main() {
    run("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep canary; echo done");
}

fn run(command: &str) {
    let done = std::process::Command::new("/bin/sh").arg("-c").arg(command).output();
    println!("{}", done.is_ok());
    if let Ok(found) = done {
        println!("{}", String::from_utf8_lossy(&found.stdout));
    }
}
