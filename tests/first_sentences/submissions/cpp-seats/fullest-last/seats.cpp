#include <iostream>
#include <string>
#include <vector>

using namespace std;

class Hall {
public:
    Hall(int rows, int seats) : rows(rows), seats(seats), taken(rows, vector<bool>(seats, false)) {}

    string book(const string& place) {
        int row = place[0] - 'A';
        int seat = stoi(place.substr(1)) - 1;
        if (row < 0 || row >= rows || seat < 0 || seat >= seats) {
            return "no such seat";
        }
        if (taken[row][seat]) {
            return "taken";
        }
        taken[row][seat] = true;
        return "ok";
    }

    int countTaken(int row) const {
        int count = 0;
        for (int seat = 0; seat < seats; seat++) {
            if (taken[row][seat]) {
                count++;
            }
        }
        return count;
    }

    int countFree() const {
        int count = 0;
        for (int row = 0; row < rows; row++) {
            count += seats - countTaken(row);
        }
        return count;
    }

    char fullest() const {
        int best = 0;
        for (int row = 1; row < rows; row++) {
            if (countTaken(row) >= countTaken(best)) {
                best = row;
            }
        }
        return 'A' + best;
    }

    void print() const {
        for (int row = 0; row < rows; row++) {
            cout << char('A' + row) << " ";
            for (int seat = 0; seat < seats; seat++) {
                cout << (taken[row][seat] ? '#' : '.');
            }
            cout << endl;
        }
    }

private:
    int rows;
    int seats;
    vector<vector<bool>> taken;
};

int main() {
    int rows, seats;
    cin >> rows >> seats;
    Hall hall(rows, seats);
    string place;
    while (cin >> place) {
        cout << place << ": " << hall.book(place) << endl;
    }
    hall.print();
    cout << "Free: " << hall.countFree() << endl;
    cout << "Fullest: " << hall.fullest() << endl;
    return 0;
}
