fun main(args: Array<String>) {
    val n = args[0].toInt()
    println(sum(n))
}

tailrec fun sum(n: Int, total: Int = 0): Int = if (n == 0) total else sum(n - 1, total + n)
