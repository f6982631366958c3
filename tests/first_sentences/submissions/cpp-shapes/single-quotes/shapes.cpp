#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

class Shape {
public:
    string name;
    virtual ~Shape() {}
    virtual double area() const { return 0; }
};

class Circle : public Shape {
    double radius;

public:
    Circle(double r) { radius = r; }
    double area() const { return 3.14159265 * radius * radius; }
};

class Triangle : public Shape {
    double base, height;

public:
    Triangle(double b, double h) : base(b), height(h) {}
    double area() const { return base * height / 2; }
};

int main() {
    int count;
    cin >> count;
    cin.ignore();
    string title;
    getline(cin, title);
    vector<Shape *> shapes;
    for (int i = 0; i < count; i++) {
        string kind, name;
        cin >> kind >> name;
        Shape *shape;
        if (kind == 'circle') {
            double r;
            cin >> r;
            shape = new Circle(r);
        } else {
            double b, h;
            cin >> b >> h;
            shape = new Triangle(b, h);
        }
        shape->name = name;
        shapes.push_back(shape);
    }
    cout << "== " << title << " ==" << endl;
    cout << fixed << setprecision(2);
    double total = 0;
    for (Shape *shape : shapes) {
        cout << shape->name << ": " << shape->area() << endl;
        total += shape->area();
    }
    cout << "Total: " << total << endl;
}
