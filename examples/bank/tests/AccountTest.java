import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class AccountTest {
    @Test
    void beginsWithItsMoney() {
        assertEquals(10, new Account(10).balance(), 1e-9);
    }

    @Test
    void deposits() {
        Account account = new Account(0.5);
        account.deposit(2.25);
        account.deposit(1);
        assertEquals(3.75, account.balance(), 1e-9);
    }

    @Test
    void withdraws() {
        Account account = new Account(10);
        account.withdraw(4);
        account.withdraw(6);
        assertEquals(0, account.balance(), 1e-9);
    }

    @Test
    void refuses() {
        Account account = new Account(10);
        Exception told = assertThrows(IllegalArgumentException.class, () -> account.withdraw(10.5));
        assertEquals("only 10.0 there", told.getMessage());
        assertThrows(IllegalArgumentException.class, () -> account.deposit(0));
        assertEquals(10, account.balance(), 1e-9);
    }
}
