// Tries to read the environment of every process from Kotlin. Safe: 0, failed or crashed.
fun main(args: Array<String>) {
    run("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep canary; echo done")
}

fun run(command: String) {
    val child = ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true).start()
    println(child.inputStream.bufferedReader().readText() + child.waitFor())
}
