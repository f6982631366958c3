// Tries to print the spec, the reference and the secrets of a home. Safe: 0, failed.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

int main() {
    std::string room = std::getenv("ROOM");
    for (const char *name : {"course/specs/cpp.yaml", "course/reference/sum.py", "course/cpp/honest/notes", "home/.netrc", "home/.ssh/id"}) {
        std::ifstream file(room + "/" + name);
        if (file) std::cout << "harm: " << file.rdbuf(); else std::cout << "refused\n";
    }
    std::error_code error;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(room, error)) std::cout << "harm: " << entry.path() << "\n";
}
