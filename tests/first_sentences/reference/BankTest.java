import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BankTest {
    private Bank bank;

    @BeforeEach
    void openAccounts() {
        bank = new Bank();
        bank.open("Cleo", 700);
        bank.open("Ann", 200);
        bank.open("Bob", 700);
    }

    @Test
    void find() {
        assertEquals(200, bank.find(new String("Ann")).getBalance());
        assertNull(bank.find("Zoe"));
    }

    @Test
    void total() {
        assertEquals(1600, bank.total());
    }

    @Test
    void transfer() {
        assertTrue(bank.transfer("Cleo", "Ann", 300));
        assertEquals(400, bank.find("Cleo").getBalance());
        assertEquals(500, bank.find("Ann").getBalance());
    }

    @Test
    void transferOfTooMuch() {
        assertFalse(bank.transfer("Ann", "Bob", 201));
        assertEquals(200, bank.find("Ann").getBalance());
        assertEquals(700, bank.find("Bob").getBalance());
    }

    @Test
    void owners() {
        assertArrayEquals(new String[] {"Ann", "Bob", "Cleo"}, bank.owners().toArray());
    }

    @Test
    void richest() {
        assertEquals("Cleo", bank.richest().getOwner());
    }

    @Test
    void richestOfNone() {
        assertNull(new Bank().richest());
    }

    @Test
    void closeEmpty() {
        bank.find("Cleo").withdraw(700);
        assertEquals(1, bank.closeEmpty());
        assertEquals(List.of("Ann", "Bob"), bank.owners());
    }
}
