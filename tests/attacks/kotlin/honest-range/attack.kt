fun main(args: Array<String>) {
    val n = args[0].toInt()
    println((1..n).sum())
}
