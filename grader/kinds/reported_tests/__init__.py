"""Tests of the course in any framework, run by a command that reports them; each is a case."""
