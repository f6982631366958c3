#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Node {
    int data;
    struct Node *next;
} Node;

Node *head = NULL;

void add(int n) {
    Node *new = malloc(sizeof(Node));
    new->data = n;
    new->next = NULL;
    if (head == NULL) {
        head = new;
        return;
    }
    Node *cur = head;
    while (cur->next != NULL) {
        cur = cur->next;
    }
    cur->next = new;
}

void push(int n) {
    Node *new = malloc(sizeof(Node));
    new->data = n;
    new->next = head;
    head = new;
}

void delete(int n) {
    Node *cur = head;
    Node *prev = NULL;
    while (cur != NULL && cur->data != n) {
        prev = cur;
        cur = cur->next;
    }
    if (cur == NULL) {
        printf("%d not found", n);
        return;
    }
    if (prev == NULL) {
        head = cur->next;
    } else {
        prev->next = cur->next;
    }
    free(cur);
}

void print(void) {
    Node *cur = head;
    printf("[");
    while (cur != NULL) {
        printf("%d", cur->data);
        if (cur->next != NULL) {
            printf(", ");
        }
        cur = cur->next;
    }
    printf("]");
}

int size(void) {
    int count = 0;
    Node *cur = head;
    while (cur != NULL) {
        count++;
        cur = cur->next;
    }
    return count;
}

void clear(void) {
    while (head != NULL) {
        Node *next = head->next;
        free(head);
        head = next;
    }
}

int main(void) {
    char line[100];
    char word[100];
    int n;
    while (fgets(line, sizeof(line), stdin) != NULL) {
        int parts = sscanf(line, "%s %d", word, &n);
        if (parts == 2 && strcmp(word, "add") == 0) {
            add(n);
        } else if (parts == 2 && strcmp(word, "push") == 0) {
            push(n);
        } else if (parts == 2 && strcmp(word, "remove") == 0) {
            delete(n);
        } else if (parts == 1 && strcmp(word, "print") == 0) {
            print();
        } else if (parts == 1 && strcmp(word, "size") == 0) {
            printf("%d", size());
        }
    }
    clear();
    return 0;
}
