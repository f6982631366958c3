fn main() {
    let _ = std::process::Command::new("/bin/sh")
        .args(["-c", "cp /bin/sleep ./attack-left-behind; setsid ./attack-left-behind 200 >/dev/null 2>&1 &"])
        .status();
}
