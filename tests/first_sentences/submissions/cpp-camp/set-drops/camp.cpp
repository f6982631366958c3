#include <iostream>
#include <iomanip>
#include <set>
#include <map>
#include <string>

enum class Kind { tent, cabin };

class Booking {
public:
    Booking(std::string name, Kind kind, int nights, int persons)
        : name_(name), kind_(kind), nights_(nights), persons_(persons) {}

    double price() const {
        double night = 0;
        switch (kind_) {
        case Kind::tent:
            night = 12.5 + 4.0 * persons_;
            break;
        case Kind::cabin:
            night = 55.0;
            if (persons_ > 2) night += 9.0 * (persons_ - 2);
            break;
        }
        return nights_ >= 7 ? night * nights_ * 0.9 : night * nights_;
    }

    bool operator<(const Booking& other) const {
        return price() > other.price();
    }

    const std::string& name() const { return name_; }
    Kind kind() const { return kind_; }
    int nights() const { return nights_; }

private:
    std::string name_;
    Kind kind_;
    int nights_;
    int persons_;
};

std::string stay(int nights) {
    if (nights == 1) return "1 night";
    return std::to_string(nights) + " nights";
}

std::ostream& operator<<(std::ostream& out, const Booking& b) {
    return out << b.name() << ' ' << (b.kind() == Kind::tent ? "tent" : "cabin") << ' ' << stay(b.nights()) << ": " << b.price();
}

int main() {
    std::set<Booking> bookings;
    std::string name, word, longest;
    int nights, persons, most = 0, all = 0;
    while (std::cin >> name >> word >> nights >> persons) {
        Kind kind = word == "tent" ? Kind::tent : Kind::cabin;
        bookings.insert(Booking(name, kind, nights, persons));
        all += nights;
        if (nights > most) {
            most = nights;
            longest = name;
        }
    }
    if (bookings.size() == 0) {
        std::cout << "No guests\n";
        return 0;
    }
    std::map<Kind, int> number;
    std::map<Kind, double> sum;
    std::cout << std::fixed << std::setprecision(2);
    for (const Booking& b : bookings) {
        std::cout << b << '\n';
        number[b.kind()]++;
        sum[b.kind()] += b.price();
    }
    std::cout << "Tents: " << number[Kind::tent] << " (" << sum[Kind::tent] << ")\n";
    std::cout << "Cabins: " << number[Kind::cabin] << " (" << sum[Kind::cabin] << ")\n";
    std::cout << "Total: " << sum[Kind::tent] + sum[Kind::cabin] << '\n';
    std::cout << std::setprecision(1) << "Mean stay: " << 1.0 * all / bookings.size() << " nights\n";
    std::cout << "Longest: " << longest << " (" << stay(most) << ")\n";
}
