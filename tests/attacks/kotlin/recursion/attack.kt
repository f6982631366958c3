// Tries to take all of the stack from Kotlin. Safe: 0, crashed or memory or timeout or failed.
fun main(args: Array<String>) {
    println(deeper(1))
}

fun deeper(number: Long): Long = deeper(number + 1) + number
