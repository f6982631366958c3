import argparse
import json
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("n", type=int)
with tempfile.TemporaryFile("w+") as file:
    json.dump(list(range(parser.parse_args().n + 1)), file)
    file.seek(0)
    print(sum(json.load(file)))
