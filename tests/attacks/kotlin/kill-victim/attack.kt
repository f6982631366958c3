// Tries to end a process of somebody else from Kotlin. Safe: 0, failed or crashed.
fun main(args: Array<String>) {
    run("kill -9 \$VICTIM; kill -19 \$VICTIM; echo tried")
}

fun run(command: String) {
    val child = ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true).start()
    println(child.inputStream.bufferedReader().readText() + child.waitFor())
}
