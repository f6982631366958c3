"""What the tests share: courses, samples, browsers, and what a class looks like."""
