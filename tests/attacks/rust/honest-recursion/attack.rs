fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    println!("{}", sum(n));
}

fn sum(n: u64) -> u64 {
    if n == 0 { 0 } else { n + sum(n - 1) }
}
