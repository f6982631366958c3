import sys
from multiprocessing import Pool

if __name__ == "__main__":
    with Pool(2) as pool:
        print(sum(pool.map(abs, range(int(sys.argv[1]) + 1))))
