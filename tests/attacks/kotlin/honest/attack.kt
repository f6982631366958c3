fun main(args: Array<String>) {
    val n = args[0].toInt()
    println(n * (n + 1) / 2)
}
