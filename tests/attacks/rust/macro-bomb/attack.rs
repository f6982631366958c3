// Tries to take the compiler's memory by a macro. Safe: 0, build-failed or failed.
macro_rules! grow {
    ($($piece:tt)*) => { grow!($($piece)* $($piece)* a) };
}

fn main() {
    grow!(a);
}
