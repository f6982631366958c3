class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def insert(node, value):
    """Return the tree with one more value."""
    if node is None:
        return Node(value)
    if value < node.value:
        node.left = insert(node.left, value)
    else:
        node.right = insert(node.right, value)
    return node


def depth_of(node, value):
    """Return how deep a value is, 0 at the top; -1 if it is not there."""
    if node is None:
        return -1
    if node.value == value:
        return 0
    below = depth_of(node.left, value) if value < node.value else depth_of(node.right, value)
    return below + 1 if below >= 0 else -1


def smallest(node):
    """Return the smallest value."""
    if node.left is None:
        return node.value
    return smallest(node.left)


class Counter:
    def __init__(self):
        self.counts = {}

    def add(self, word):
        self.counts[word] = self.counts.get(word, 0) + 1

    def drop_rare(self, least):
        for word in self.counts:
            if self.counts[word] < least:
                del self.counts[word]
        return self.counts

    def parse(self, text):
        try:
            word, number = text.split("=")
            self.counts[word] = int(number)
            return True
        except (ValueError, AttributeError):
            return False
