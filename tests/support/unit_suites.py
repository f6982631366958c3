"""Small suites in Python, with every way in which a test comes to be collected: name -> (frameworks, source)."""

from collections.abc import Mapping

RIGHT = """
NUMBERS = (1, 2)

class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount):
        if amount < 0:
            raise ValueError("no negative deposits")
        self.balance += amount
        return self.balance

def double(number):
    return 2 * number
"""
WRONG = RIGHT.replace("self.balance += amount", "self.balance = amount").replace("2 * number", "number + 2")

HELPERS: Mapping[str, str] = {
    "conftest.py": """
import pytest
from bank import Account

@pytest.fixture
def account():
    return Account()

def pytest_generate_tests(metafunc):
    if "generated" in metafunc.fixturenames:
        metafunc.parametrize("generated", [2, 3])
""",
    "shared.py": """
import unittest
from bank import Account, double

class Deposits:
    start = 0

    def test_twice(self):
        account = Account()
        account.deposit(self.start)
        account.deposit(1)
        assert account.balance == self.start + 1

class Imported(unittest.TestCase):
    def test_imported(self):
        self.assertEqual(double(3), 6)

    def test_easy(self):
        self.assertEqual(double(2), 4)
""",
}
BOTH, PYTEST, UNITTEST = ("pytest", "unittest"), ("pytest",), ("unittest",)
_HEAD = "import unittest\nimport pytest\nfrom bank import Account, double\n"
_UNIT_HEAD = "import unittest\nfrom bank import Account, double\n"

SUITES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "setattr": (
        BOTH,
        _UNIT_HEAD
        + """
class TestDouble(unittest.TestCase):
    pass

def make(number, wanted):
    def test(self):
        self.assertEqual(double(number), wanted)
    return test

for number in (2, 5):
    setattr(TestDouble, f"test_{number}", make(number, 2 * number))
""",
    ),
    "metaclass": (
        BOTH,
        _UNIT_HEAD
        + """
class Making(type):
    def __new__(cls, name, bases, members):
        for number in (2, 3):
            members[f"test_made_{number}"] = lambda self, number=number: self.assertEqual(double(number), 2 * number)
        return super().__new__(cls, name, bases, members)

class TestMade(unittest.TestCase, metaclass=Making):
    def test_written(self):
        self.assertEqual(double(0), 0)
""",
    ),
    "decorated_class": (
        BOTH,
        _UNIT_HEAD
        + """
def with_more(cls):
    cls.test_added = lambda self: self.assertEqual(double(4), 8)
    return cls

@with_more
class TestDecorated(unittest.TestCase):
    def test_own(self):
        self.assertEqual(double(2), 4)
""",
    ),
    "load_tests": (
        UNITTEST,
        _UNIT_HEAD
        + """
class TestValue(unittest.TestCase):
    def __init__(self, method="test_value", number=2):
        super().__init__(method)
        self.number = number

    def test_value(self):
        self.assertEqual(double(self.number), 2 * self.number)

    def test_left_out(self):
        self.fail()

def check_function():
    assert double(7) == 14

def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite(TestValue("test_value", number) for number in (2, 6))
    suite.addTest(unittest.FunctionTestCase(check_function))
    return suite
""",
    ),
    "doctests": (
        UNITTEST,
        """
import doctest, unittest
from bank import double

def documented():
    '''
    >>> double(5)
    10
    '''

def easily():
    '''
    >>> double(2)
    4
    '''

def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite())
    return tests
""",
    ),
    "generated": (
        PYTEST,
        _HEAD
        + """
def test_generated(generated):
    assert double(generated) == 2 * generated
""",
    ),
    "parametrized": (
        PYTEST,
        _HEAD
        + """
@pytest.mark.parametrize("number", [1, 2, pytest.param(3, id="three[x]")])
def test_function(number):
    assert double(number) == 2 * number

@pytest.mark.parametrize("number, wanted", [(2, 4)], ids=["two::2"])
class TestClass:
    def test_easy(self, number, wanted):
        assert double(number) == wanted

    @pytest.mark.parametrize("more", [0, 1])
    def test_more(self, number, wanted, more):
        assert double(number + more) == wanted + 2 * more
""",
    ),
    "indirect": (
        PYTEST,
        _HEAD
        + """
@pytest.fixture
def filled(request, account):
    account.deposit(1)
    account.deposit(request.param)
    return account

@pytest.mark.parametrize("filled", [4, 5], indirect=True)
def test_filled(filled):
    assert filled.balance > 4

@pytest.fixture(params=[2, 8])
def number(request):
    return request.param

def test_by_fixture(number):
    assert double(number) == 2 * number
""",
    ),
    "partly_skipped": (
        PYTEST,
        _HEAD
        + """
@pytest.mark.parametrize("number", [2, pytest.param(9, marks=pytest.mark.skip(reason="slow"))])
def test_partly(number):
    assert double(number) == 2 * number

@pytest.mark.parametrize("number", [3, pytest.param(9, marks=pytest.mark.skip)])
def test_partly_wrong(number):
    assert double(number) == 2 * number
""",
    ),
    "inherited": (
        BOTH,
        """
import unittest
from shared import Deposits

class TestFrom(Deposits, unittest.TestCase):
    start = 5

    def test_own(self):
        self.assertEqual(self.start, 5)

class TestZero(Deposits, unittest.TestCase):
    pass
""",
    ),
    "plain_mixin": (
        PYTEST,
        """
from shared import Deposits

class TestPlain(Deposits):
    start = 3
""",
    ),
    "imported_tests": (BOTH, "from shared import Imported as TestImported\n"),
    "starred": (BOTH, "from shared import *\n"),
    "hidden_base": (
        BOTH,
        _UNIT_HEAD
        + """
class Hidden:
    class Tests(unittest.TestCase):
        number = 0

        def test_double(self):
            self.assertEqual(double(self.number), 2 * self.number)

class TestTwo(Hidden.Tests):
    number = 2

class TestFive(Hidden.Tests):
    number = 5
""",
    ),
    "deleted_base": (
        BOTH,
        _UNIT_HEAD
        + """
class Base(unittest.TestCase):
    def test_wrong_here(self):
        self.assertEqual(self.number, 5)

class TestDerived(Base):
    number = 5

del Base
""",
    ),
    "made_classes": (
        BOTH,
        _UNIT_HEAD
        + """
def make(number):
    def test_it(self):
        self.assertEqual(double(number), 2 * number)
    return type(f"TestOf{number}", (unittest.TestCase,), {"test_it": test_it})

for number in (2, 3):
    globals()[f"TestOf{number}"] = make(number)
""",
    ),
    "assigned": (
        PYTEST,
        _HEAD
        + """
def make(number):
    return lambda: _check(number)

def _check(number):
    assert double(number) == 2 * number

test_two, test_six = make(2), make(6)

class TestAssigned:
    test_inside = lambda self: _check(3)
""",
    ),
    "conditional": (
        PYTEST,
        _HEAD
        + """
import sys
if sys.version_info >= (3, 0):
    def test_new():
        assert double(3) == 6
else:
    def test_old():
        assert False

try:
    import nothing_like_it
except ImportError:
    class TestWithout:
        def test_without(self):
            assert double(2) == 4
""",
    ),
    "nested": (
        PYTEST,
        _HEAD
        + """
class TestOuter:
    class TestInner:
        def test_deep(self):
            assert double(3) == 6

    def test_outer(self):
        assert double(2) == 4

class TestWithInit:
    def __init__(self):
        pass

    def test_never(self):
        assert False

class TestNot:
    __test__ = False

    def test_never(self):
        assert False
""",
    ),
    "subtests": (
        BOTH,
        _UNIT_HEAD
        + """
class TestParts(unittest.TestCase):
    def test_parts(self):
        for number in (2, 3):
            with self.subTest(number=number):
                self.assertEqual(double(number), 2 * number)

    def test_easy_parts(self):
        for number in (2, 2):
            with self.subTest(number):
                self.assertEqual(double(number), 4)
""",
    ),
    "waiting": (
        BOTH,
        _UNIT_HEAD
        + """
class TestWaiting(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.account = Account()
        self.account.deposit(1)

    async def test_waits(self):
        self.assertEqual(self.account.deposit(2), 3)

    async def test_easy(self):
        self.assertEqual(self.account.balance, 1)
""",
    ),
    "class_fixtures": (
        BOTH,
        _UNIT_HEAD
        + """
def setUpModule():
    global number
    number = double(2)

class TestClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.account = Account()
        cls.account.deposit(number)

    def test_balance(self):
        self.assertEqual(self.account.balance, 4)

class TestBrokenClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if double(3) != 6:
            raise ValueError("double")

    def test_anything(self):
        pass
""",
    ),
    "wide_fixtures": (
        PYTEST,
        _HEAD
        + """
@pytest.fixture(scope="module", autouse=True)
def module_wide():
    yield double(2)

@pytest.fixture(scope="class")
def wide():
    account = Account()
    account.deposit(1)
    yield account
    assert account.deposit(1) == account.balance

class TestWide:
    def test_wide(self, wide, module_wide):
        assert wide.deposit(1) == 2

    def test_module(self, module_wide):
        assert module_wide == 4

def test_teardown(request):
    request.addfinalizer(lambda: double(5) == 10 or pytest.fail("in the end"))
""",
    ),
    "skipped": (
        BOTH,
        _UNIT_HEAD
        + """
class TestSkipped(unittest.TestCase):
    @unittest.skip("later")
    def test_later(self):
        self.fail()

    @unittest.skipIf(True, "not here")
    def test_not_here(self):
        self.fail()

    @unittest.skipUnless(True, "here")
    def test_here(self):
        self.assertEqual(double(3), 6)

    def test_skips_itself(self):
        self.skipTest("no network")

@unittest.skip("a whole class")
class TestWholeClass(unittest.TestCase):
    def test_never(self):
        self.fail()
""",
    ),
    "marked": (
        PYTEST,
        _HEAD
        + """
@pytest.mark.skip(reason="later")
def test_later():
    assert False

@pytest.mark.skipif("sys.platform == 'linux'", reason="not here")
def test_not_here():
    assert False

def test_skips_itself():
    pytest.skip("no network")

@pytest.mark.xfail(reason="known")
def test_known():
    assert double(3) == 7

@pytest.mark.usefixtures("account")
@pytest.mark.filterwarnings("ignore")
def test_easy():
    assert double(2) == 4
""",
    ),
    "expected_failures": (
        BOTH,
        _UNIT_HEAD
        + """
class TestKnown(unittest.TestCase):
    @unittest.expectedFailure
    def test_known(self):
        self.assertEqual(double(3), 7)

    def test_raises(self):
        with self.assertRaises(ValueError):
            Account().deposit(-1)

    def test_sum(self):
        account = Account()
        account.deposit(1)
        self.assertEqual(account.deposit(1), 2)
""",
    ),
    "aliases": (
        BOTH,
        _UNIT_HEAD
        + """
class TestAlias(unittest.TestCase):
    def check(self):
        self.assertEqual(double(3), 6)

    test_alias = check

class TestPart(TestAlias):
    test_alias = None

    def test_easy(self):
        self.assertEqual(double(2), 4)
""",
    ),
    "run_test": (
        UNITTEST,
        _UNIT_HEAD
        + """
class Single(unittest.TestCase):
    def runTest(self):
        self.assertEqual(double(5), 10)
""",
    ),
    "subclass_hook": (
        BOTH,
        _UNIT_HEAD
        + """
class Making(unittest.TestCase):
    def __init_subclass__(cls):
        for number in cls.numbers:
            setattr(cls, f"test_{number}", lambda self, number=number: self.assertEqual(double(number), 2 * number))

class TestNumbers(Making):
    numbers = (2, 3)
""",
    ),
    "from_student": (
        BOTH,
        """
import unittest
import bank

class TestNumbers(unittest.TestCase):
    pass

for number in bank.NUMBERS:
    setattr(TestNumbers, f"test_{number}", lambda self, n=number: self.assertEqual(bank.double(n), 2 * n))
""",
    ),
    "odd_names": (
        UNITTEST,
        _UNIT_HEAD
        + """
class TestOdd(unittest.TestCase):
    pass

for number in (2, 3):
    setattr(TestOdd, f"test 1.{number} [of {number}]", lambda self, n=number: self.assertEqual(double(n), 2 * n))
""",
    ),
}
