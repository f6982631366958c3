// The same in JUnit 5; the points have no place there.

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class BankTest {
    private final InputStream in = System.in;
    private final PrintStream out = System.out;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(written, true));
    }

    @AfterEach
    void leave() {
        System.setIn(in);
        System.setOut(out);
    }

    private String menu(String... lines) {
        System.setIn(new ByteArrayInputStream((String.join("\n", lines) + "\n").getBytes()));
        Menu.main(new String[0]);
        return written.toString();
    }

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

    @Test
    void menuAnswersAndAsksAgain() {
        String[] parts = menu("d 20.5", "w 30", "x", "d", "w 0.5", "q").split("> ", -1);
        assertEquals(7, parts.length, "one prompt before each line");
        assertEquals("20.50\n", parts[1]);
        for (int i = 2; i < 5; i++) {
            assertEquals("No.\n", parts[i]);
        }
        assertEquals("20.00\n", parts[5]);
        assertEquals("", parts[6]);
    }
}
