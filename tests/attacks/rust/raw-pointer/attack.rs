// Tries to read memory that is nobody's. Safe: 0, crashed.
fn main() {
    for at in (4096usize..1 << 40).step_by(4096) {
        println!("{}", unsafe { std::ptr::read_volatile(at as *const u8) });
    }
}
