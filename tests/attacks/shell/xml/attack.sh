# Tries to break the JUnit report. Safe: 0, failed.
printf ']]></failure></testcase><testcase name="x"/><![CDATA[ &bogus; <?xml?> \001\013\n'
