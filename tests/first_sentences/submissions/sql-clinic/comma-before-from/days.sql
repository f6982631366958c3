select day from visits group by day order by day desc;
