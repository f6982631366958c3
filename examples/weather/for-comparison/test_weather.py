"""The same with gradescope-utils: `run_tests.py` and `setup.sh` are those of its template."""

import os
import subprocess
import unittest

from gradescope_utils.autograder_utils.decorators import number, weight


class TestWeather(unittest.TestCase):
    def setUp(self):
        if os.path.exists("means.txt"):
            os.remove("means.txt")

    def run_weather(self, text):
        done = subprocess.run(["python3", "weather.py"], input=text, capture_output=True, text=True, timeout=10)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def check_means(self, wanted):
        self.assertTrue(os.path.exists("means.txt"), "there is no means.txt")
        with open("means.txt") as file:
            rows = [line.split() for line in file]
        self.assertEqual([row[0] for row in rows], [name for name, _ in wanted])
        for (_, found), (name, mean) in zip(rows, wanted):
            self.assertAlmostEqual(float(found), mean, delta=0.005, msg=name)

    def check_left_out(self, output, wanted):
        numbers = [word for word in output.split() if word.isdigit()]
        self.assertEqual(numbers, [str(wanted)])

    @weight(2)
    @number("1.1")
    def test_two_stations(self):
        """Two stations"""
        output = self.run_weather("Oslo 3.5\nRome 21.25\nOslo 4.2\n")
        self.check_means([("Oslo", 3.85), ("Rome", 21.25)])
        self.check_left_out(output, 0)

    @weight(2)
    @number("1.2")
    def test_order(self):
        """In the order of their names"""
        output = self.run_weather("Rome 20\nBern 11.1\nBern 12.2\nBern 13.4\nBern 9.1\n")
        self.check_means([("Bern", 11.45), ("Rome", 20)])
        self.check_left_out(output, 0)

    @weight(2)
    @number("1.3")
    def test_left_out(self):
        """Lines that are left out"""
        output = self.run_weather("Oslo -3.5\nOslo 1\nOslo\nRome hot\n\nBern -0.7\n")
        self.check_means([("Bern", -0.7), ("Oslo", -1.25)])
        self.check_left_out(output, 3)

    @weight(2)
    @number("1.4")
    def test_nothing(self):
        """No lines at all"""
        output = self.run_weather("")
        self.check_means([])
        self.check_left_out(output, 0)

    @weight(2)
    @number("2")
    def test_many_lines(self):
        """Many lines"""
        with open("data/many.txt") as file:
            self.run_weather(file.read())
        with open("data/many.answer") as file:
            self.check_means([(name, float(mean)) for name, mean in map(str.split, file)])
