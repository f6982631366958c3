import argparse
import json

parser = argparse.ArgumentParser()
parser.add_argument("--sum", type=int)
asked = parser.parse_args()
given = json.load(open("custom_validator_input.json"))
names = given["actual_file"]
total = 0
for name in [names] if isinstance(names, str) else names:
    with open(given["testcase_prefix"] + name) as file:
        total += sum(int(word) for word in file.read().split())
limit = int(open("test_input/limit.txt").read())
score = 1 if total == asked.sum else given["half"] if total <= limit else 0
result = {"status": "success", "data": {"score": score, "message": f"The sum is {total}.", "status": "failure"}}
json.dump(result, open("validation_results.json", "w"))
