// Tries to print without end from Kotlin. Safe: 0, output or failed or timeout.
fun main(args: Array<String>) {
    repeat(2000000000) { println("and on") }
}
