# Tries to run a script in the page. Safe: 0, failed.
printf '<script>alert(1)</script><img src=x onerror=alert(1)></pre></td>"onmouseover=alert(1) <!-- ]]> -->&#x41;\n'
