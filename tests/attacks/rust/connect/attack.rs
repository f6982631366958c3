// Tries to reach a server of the machine from Rust. Safe: 0, failed or crashed.
fn main() {
    connect();
}

fn connect() {
    let port: u16 = std::env::var("PORT").unwrap().parse().unwrap();
    match std::net::TcpStream::connect(("127.0.0.1", port)) {
        Ok(_) => println!("harm: connected"),
        Err(_) => println!("held"),
    }
}
