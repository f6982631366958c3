# Tries to confuse whoever lists its folder. Safe: 0, failed.
touch -- -rf "$(printf "a\nb")" "$(printf "\033[2J")" "$(printf "\377")" "\$(id)" "--help"; mkdir -p "..." "a b"; mkfifo pipe; ln -s / root; ln -s loop loop
