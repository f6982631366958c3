#include <cstdio>
#include <iostream>
#include <map>
#include <string>

int main() {
    std::string day;
    double mm;
    std::string month;
    double total = 0, year = 0;
    int wet = 0, days = 0, dry = 0, longest = 0, months = 0;
    std::string wettest;
    double most = -1;
    std::printf("Month    Days  Wet   Rain\n");
    while (std::cin >> day >> mm) {
        std::string now = day.substr(0, 7);
        if (now != month) {
            if (days > 0) {
                std::printf("%s %5d %4d %6.1f\n", month.c_str(), days, wet, total);
                months++;
            }
            month = now;
            total = 0;
            wet = 0;
            days = 0;
        }
        total += mm;
        year += mm;
        days++;
        if (mm >= 1.0) {
            wet++;
            dry = 0;
        } else {
            dry++;
            if (dry > longest) {
                longest = dry;
            }
        }
        if (mm > most) {
            most = mm;
            wettest = day;
        }
    }
    if (days < 0) {
        std::printf("%s %5d %4d %6.1f\n", month.c_str(), days, wet, total);
        months++;
    }
    std::printf("Total: %.1f\n", year);
    if (months > 0) {
        std::printf("Per month: %.2f\n", year / months);
        std::printf("Wettest: %s\n", wettest.c_str());
    }
    std::printf("Longest dry spell: %d\n", longest);
    return 0;
}
