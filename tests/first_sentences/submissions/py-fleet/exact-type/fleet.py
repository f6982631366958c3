class Vehicle:
    def __init__(self, name, capacity):
        self.name = name
        self.capacity = capacity
        self.loaded = 0

    @property
    def free(self):
        return self.capacity - self.loaded

    def load(self, kg):
        if kg > self.free:
            raise ValueError(f"{kg} kg do not fit")
        self.loaded += kg

    def percent(self):
        return int(100 * self.loaded / self.capacity + 0.5)


class Truck(Vehicle):
    def __init__(self, name, capacity, trailer):
        super().__init__(name, capacity)
        self.capacity += trailer


class Fleet:
    def __init__(self, vehicles):
        self.vehicles = list(vehicles)

    def add(self, vehicle):
        self.vehicles.append(vehicle)

    def total(self):
        return sum(vehicle.loaded for vehicle in self.vehicles)

    def roomy(self, kg):
        return [vehicle.name for vehicle in self.vehicles if vehicle.free >= kg]

    def count_vehicles(self):
        count = 0
        for vehicle in self.vehicles:
            if type(vehicle) == Vehicle:
                count += 1
        return count

    def describe(self):
        return f"{self.count_vehicles()} vehicles, {self.total()} kg"
