#include <iostream>
#include <set>
#include <string>
#include <utility>
using namespace std;

const string names = "NESW";
const int dx[] = {0, 1, 0, -1};
const int dy[] = {1, 0, -1, 0};

int main() {
    int width, height;
    cin >> width >> height;
    int x = 0, y = 0, look = 0, steps = 0;
    set<pair<int, int>> visited;
    visited.insert({x, y});
    string command;
    while (!cin.eof()) {
        cin >> command;
        if (command == "F") {
            int n;
            cin >> n;
            while (n > 0) {
                int nx = x + dx[look];
                int ny = y + dy[look];
                if (nx < 0 || ny < 0 || nx >= width || ny >= height) {
                    cout << "Bump at " << x << " " << y << endl;
                    break;
                }
                x = nx;
                y = ny;
                steps++;
                visited.insert({x, y});
                n--;
            }
        } else if (command == "L") {
            look = (look + 3) % 4;
        } else if (command == "R") {
            look = (look + 1) % 4;
        } else if (command == "P") {
            cout << x << " " << y << " " << names[look] << endl;
        } else {
            cout << "Unknown: " << command << endl;
        }
    }
    cout << "Steps: " << steps << endl;
    cout << "Visited: " << visited.size() << endl;
    cout << "End: " << x << " " << y << " " << names[look] << endl;
    return 0;
}
