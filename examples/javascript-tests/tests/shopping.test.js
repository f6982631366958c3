const { describe, test } = require("node:test");
const assert = require("node:assert");
const { cheapest, total } = require("../shopping");

describe("total", () => {
  test("of nothing is 0", () => assert.strictEqual(total([]), 0));
  test("adds prices", () => assert.strictEqual(total([3, 4.5]), 7.5));
});

test("cheapest finds the lowest price", () => assert.strictEqual(cheapest([7, 3, 5]), 3));
test("cheapest refuses an empty list", () => assert.throws(() => cheapest([]), RangeError));
