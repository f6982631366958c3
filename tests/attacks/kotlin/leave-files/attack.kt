// Tries to leave files for whoever comes next from Kotlin. Safe: 0, failed or crashed.
fun main(args: Array<String>) {
    write("/tmp/left-behind-kotlin", false)
    write("/var/tmp/left-behind-kotlin", false)
    write("/dev/shm/left-behind-kotlin", false)
    write("/usr/bin/left-behind-kotlin", true)
    write("/etc/left-behind-kotlin", true)
    write("/srv/left-behind-kotlin", true)
}

fun write(path: String, harm: Boolean) {
    try {
        java.io.File(path).writeText("mine")
        if (harm) println("harm: wrote " + path)
    } catch (error: java.io.IOException) {
        println("held")
    }
}
