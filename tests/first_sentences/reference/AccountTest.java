import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.Test;

class AccountTest {
    private final Account account = new Account("Ann", 500);

    @Test
    void fresh() {
        assertEquals("Ann", account.getOwner());
        assertEquals(500, account.getBalance());
    }

    @Test
    void deposit() {
        account.deposit(250);
        assertEquals(750, account.getBalance());
    }

    @Test
    void depositOfNothing() {
        assertThrows(IllegalArgumentException.class, () -> account.deposit(0));
        assertThrows(IllegalArgumentException.class, () -> account.deposit(-5));
        assertEquals(500, account.getBalance());
    }

    @Test
    void withdraw() {
        assertTrue(account.withdraw(120));
        assertEquals(380, account.getBalance());
    }

    @Test
    void withdrawAll() {
        assertTrue(account.withdraw(500));
        assertEquals(0, account.getBalance());
    }

    @Test
    void withdrawTooMuch() {
        assertFalse(account.withdraw(501));
        assertEquals(500, account.getBalance());
    }

    @Test
    void interest() {
        account.addInterest(3);
        assertEquals(515, account.getBalance());
    }

    @Test
    void history() {
        account.deposit(40);
        account.withdraw(20);
        assertIterableEquals(List.of("+40", "-20"), account.history());
    }

    @Test
    void historyIsACopy() {
        account.deposit(40);
        account.history().clear();
        assertEquals(1, account.history().size());
    }
}
