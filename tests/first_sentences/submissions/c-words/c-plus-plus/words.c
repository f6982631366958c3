#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    vector<string> words;
    string word;
    int sum = 0;
    while (cin >> word) {
        words.push_back(word);
        sum += word.size();
    }
    if (words.empty()) {
        cout << "No words" << endl;
        return 0;
    }
    for (int i = words.size() - 1; i >= 0; i--)
        cout << words[i] << endl;
    cout << "Words: " << words.size() << endl;
    cout << "Average length: " << sum / words.size() << endl;
}
