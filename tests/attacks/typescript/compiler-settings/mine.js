require("fs").writeFileSync("/usr/left-behind", "mine");
