// Tries to take the compiler's time by nested lambdas. Safe: 0, failed or build-failed.
fun main() {
    val f = { x: Any -> listOf({ x: Any -> listOf({ x: Any -> listOf({ x: Any -> listOf({ x: Any -> listOf({ x: Any -> listOf({ x: Any -> listOf({ x: Any -> listOf({ x: Any -> listOf({ x: Any -> listOf({ x: Any -> listOf({ x: Any -> listOf(1) }) }) }) }) }) }) }) }) }) }) }) }
    println(f(1).hashCode() * 0)
}
