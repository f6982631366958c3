// Tries to read the spec and the reference from Kotlin. Safe: 0, failed or crashed.
fun main(args: Array<String>) {
    show(System.getenv("ROOM") + "/course/specs/kotlin.yaml")
    show(System.getenv("ROOM") + "/course/reference/sum.py")
}

fun show(path: String) {
    try {
        println("harm: read " + java.io.File(path).readText())
    } catch (error: java.io.IOException) {
        println("held")
    }
}
