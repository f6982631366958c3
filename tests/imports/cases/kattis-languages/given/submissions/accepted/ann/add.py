import adding
print(adding.add(*map(int, input().split())))
