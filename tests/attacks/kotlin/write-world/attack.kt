// Tries to write into a file that everybody may write from Kotlin. Safe: 0, failed or crashed.
fun main(args: Array<String>) {
    write(System.getenv("ROOM") + "/world/precious", true)
}

fun write(path: String, harm: Boolean) {
    try {
        java.io.File(path).writeText("mine")
        if (harm) println("harm: wrote " + path)
    } catch (error: java.io.IOException) {
        println("held")
    }
}
