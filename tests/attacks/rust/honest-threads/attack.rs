fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    println!("{}", parts(n));
}

fn parts(n: u64) -> u64 {
    let halves = [(1, n / 2), (n / 2 + 1, n)];
    halves.map(|(from, to)| std::thread::spawn(move || (from..=to).sum::<u64>())).into_iter().map(|half| half.join().unwrap()).sum()
}
