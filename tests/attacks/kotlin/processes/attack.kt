// Tries to start two thousand processes from Kotlin. Safe: 0, failed or crashed or timeout or memory.
fun main(args: Array<String>) {
    run("i=0; while [ \$i -lt 2000 ]; do sleep 3 & i=\$((i+1)); done; echo tried")
}

fun run(command: String) {
    val child = ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true).start()
    println(child.inputStream.bufferedReader().readText() + child.waitFor())
}
