i=0 sum=0
while [ $i -lt "$1" ]; do i=$((i + 1)) sum=$((sum + i)); done
echo $sum > "$HOME/sum"
cat "$HOME/sum"
