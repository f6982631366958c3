// Tries to end well before it answers from Kotlin. Safe: 0, failed.
fun main(args: Array<String>) {
    System.exit(0)
}
