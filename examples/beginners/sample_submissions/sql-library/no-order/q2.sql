select name from member join loan on member.id = loan.member where returned is null order by name;
