select n * (n + 1) / 2 from input;
