// Tries to read what the grader's home holds from Kotlin. Safe: 0, failed or crashed.
fun main(args: Array<String>) {
    show(System.getenv("ROOM") + "/home/.netrc")
    show(System.getenv("ROOM") + "/home/.ssh/id")
}

fun show(path: String) {
    try {
        println("harm: read " + java.io.File(path).readText())
    } catch (error: java.io.IOException) {
        println("held")
    }
}
