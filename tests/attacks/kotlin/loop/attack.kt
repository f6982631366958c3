// Tries to run for ever from Kotlin. Safe: 0, timeout.
fun main(args: Array<String>) {
    var number = 1L
    while (number > 0) number = number xor 2L
}
