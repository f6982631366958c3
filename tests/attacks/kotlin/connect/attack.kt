// Tries to reach a server of the machine from Kotlin. Safe: 0, failed or crashed.
fun main(args: Array<String>) {
    connect()
}

fun connect() {
    try {
        java.net.Socket("127.0.0.1", System.getenv("PORT").toInt())
        println("harm: connected")
    } catch (error: java.io.IOException) {
        println("held")
    }
}
