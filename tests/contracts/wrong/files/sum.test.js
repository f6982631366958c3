test("adds", () => expect(1 + 1).toBe(2)); test.todo("takes away");
