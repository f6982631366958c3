import json, sys
from collections import Counter
words = sys.stdin.read().split()
counts = Counter(w.lower() for w in words)
top = sorted(counts, key=lambda w: (-counts[w], w))[:3]
print(json.dumps({"words": len(words), "different": len(counts), "top": top}, separators=(",", ":")))
