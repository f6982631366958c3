select distinct name from member, loan where member.id = loan.member and returned = NULL order by name;
