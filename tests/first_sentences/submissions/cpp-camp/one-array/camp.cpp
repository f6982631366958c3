#include <iostream>
#include <iomanip>
#include <string>
using namespace std;

int main()
{
    string names[100], kinds[100];
    int nights[100], persons[100];
    double prices[100];
    int n = 0;

    while (cin >> names[n] >> kinds[n] >> nights[n] >> persons[n])
    {
        if (kinds[n] == "tent")
            prices[n] = nights[n] * 12.50 + nights[n] * persons[n] * 4.00;
        else
        {
            int more = persons[n] - 2;
            if (more < 0)
                more = 0;
            prices[n] = nights[n] * 55.00 + nights[n] * more * 9.00;
        }
        if (nights[n] >= 7)
            prices[n] = prices[n] * 0.9;
        n++;
    }
    if (n == 0)
    {
        cout << "No guests" << endl;
        return 0;
    }

    int longest = 0;
    double sumNights = 0;
    for (int i = 0; i < n; i++)
    {
        sumNights += nights[i];
        if (nights[i] > nights[longest])
            longest = i;
    }
    string longestName = names[longest];
    int longestNights = nights[longest];

    for (int i = 0; i < n - 1; i++)
    {
        for (int j = 0; j < n - 1 - i; j++)
        {
            if (prices[j] < prices[j + 1] || (prices[j] == prices[j + 1] && names[j] > names[j + 1]))
            {
                swap(names[j], names[j + 1]);
                swap(kinds[j], kinds[j + 1]);
                swap(prices[j], prices[j + 1]);
            }
        }
    }

    int tents = 0, cabins = 0;
    double tentSum = 0.0, cabinSum = 0.0;
    cout << fixed << setprecision(2);
    for (int i = 0; i < n; i++)
    {
        cout << names[i] << " " << kinds[i] << " " << nights[i];
        if (nights[i] == 1)
            cout << " night: ";
        else
            cout << " nights: ";
        cout << prices[i] << endl;
        if (kinds[i] == "tent")
        {
            tents++;
            tentSum += prices[i];
        }
        if (kinds[i] == "cabin")
        {
            cabins++;
            cabinSum += prices[i];
        }
    }
    cout << "Tents: " << tents << " (" << tentSum << ")" << endl;
    cout << "Cabins: " << cabins << " (" << cabinSum << ")" << endl;
    cout << "Total: " << tentSum + cabinSum << endl;
    cout << "Mean stay: " << setprecision(1) << sumNights / n << " nights" << endl;
    cout << "Longest: " << longestName << " (" << longestNights << (longestNights == 1 ? " night)" : " nights)") << endl;
}
