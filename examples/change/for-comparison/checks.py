"""The same in check50."""

import check50


@check50.check()
def exists():
    """change.py exists"""
    check50.exists("change.py")


@check50.check(exists)
def owed_0():
    """0 needs no coin"""
    check50.run("python3 change.py").stdin("0").stdout("0\n").exit(0)


@check50.check(exists)
def owed_41():
    """0.41 needs 4 coins"""
    check50.run("python3 change.py").stdin("0.41").stdout("4\n").exit(0)


@check50.check(exists)
def owed_1():
    """0.01 needs 1 coin"""
    check50.run("python3 change.py").stdin("0.01").stdout("1\n").exit(0)


@check50.check(exists)
def owed_15():
    """0.15 needs 2 coins"""
    check50.run("python3 change.py").stdin("0.15").stdout("2\n").exit(0)


@check50.check(exists)
def owed_160():
    """1.6 needs 7 coins"""
    check50.run("python3 change.py").stdin("1.6").stdout("7\n").exit(0)


@check50.check(exists)
def owed_2300():
    """23 needs 92 coins"""
    check50.run("python3 change.py").stdin("23").stdout("92\n").exit(0)


@check50.check(exists)
def owed_29():
    """0.29 needs 5 coins"""
    check50.run("python3 change.py").stdin("0.29").stdout("5\n").exit(0)


@check50.check(exists)
def rejects():
    """asks again for what is no amount"""
    run = check50.run("python3 change.py")
    for wrong in ("-0.01", "foo", ""):
        run.stdin(wrong).reject()
    run.stdin("0.5").stdout("2\n").exit(0)
