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
        for i in range(max(len(self.coefficients), len(other.coefficients))):
            number = 0
            if i < len(self.coefficients):
                number += self.coefficients[i]
            if i < len(other.coefficients):
                number += other.coefficients[i]
            result.append(number)
        return Polynomial(result)

    def derivative(self):
        result = self.coefficients
        for i in range(len(result)):
            result[i] = i * result[i]
        result.pop(0)
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
