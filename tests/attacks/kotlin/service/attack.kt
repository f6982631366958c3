// Tries to register a plugin of the compiler by a service file. Safe: 0, failed or build-failed.
fun main() {
    println("held")
}
