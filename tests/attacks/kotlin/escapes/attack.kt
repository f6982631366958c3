// Tries to rewrite the terminal of whoever looks from Kotlin. Safe: 0, failed.
fun main(args: Array<String>) {
    println("\u001b[2J\u001b]0;mine\u001b[8m")
}
