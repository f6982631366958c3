pub fn sum(n: u64) -> u64 {
    (1..=n).fold(0, |total, one| total + one)
}
