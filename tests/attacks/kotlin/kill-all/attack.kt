// Tries to end every process that it sees from Kotlin. Safe: 0, failed or crashed or timeout.
fun main(args: Array<String>) {
    run("kill -9 -1; echo tried")
}

fun run(command: String) {
    val child = ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true).start()
    println(child.inputStream.bufferedReader().readText() + child.waitFor())
}
