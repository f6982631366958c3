# Tries to show another text than there is. Safe: 0, failed.
printf '\342\200\256dessap\342\200\254\342\200\213\357\273\277\342\201\246\n'
