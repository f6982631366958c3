# Tries to write down what each case asks. Safe: 0, failed.
cat /tmp/asked asked "$HOME/asked" && echo "harm:" asked; echo "$1" | tee -a /tmp/asked asked > "$HOME/asked"
