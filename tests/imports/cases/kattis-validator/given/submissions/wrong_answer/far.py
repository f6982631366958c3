print(sum(map(int, input().split())) + 2)
