class Polynomial:
    def __init__(self, coefficients):
        self.coefficients = list(coefficients)

    def degree(self):
        return len(self.coefficients) - 1

    def value(self, x):
        total = 0
        for i in range(len(self.coefficients)):
            total += self.coefficients[i] * x ** i
        return total

    def __add__(self, other):
        result = []
        for a, b in zip(self.coefficients, other.coefficients):
            result.append(a + b)
        return Polynomial(result)

    def derivative(self):
        result = []
        for i in range(1, len(self.coefficients)):
            result.append(i * self.coefficients[i])
        return Polynomial(result)

    def __str__(self):
        terms = []
        for i in range(len(self.coefficients)):
            if self.coefficients[i] != 0:
                terms.append(f"{self.coefficients[i]}x^{i}")
        return " + ".join(terms)


def roots_between(polynomial, low, high):
    roots = []
    for x in range(low, high + 1):
        if polynomial.value(x) == 0:
            roots.append(x)
    return roots
