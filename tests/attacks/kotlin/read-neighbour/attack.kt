// Tries to read what another student handed in from Kotlin. Safe: 0, failed or crashed.
fun main(args: Array<String>) {
    show(System.getenv("ROOM") + "/course/kotlin/honest/notes")
}

fun show(path: String) {
    try {
        println("harm: read " + java.io.File(path).readText())
    } catch (error: java.io.IOException) {
        println("held")
    }
}
