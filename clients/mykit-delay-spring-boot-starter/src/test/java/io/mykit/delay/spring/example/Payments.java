package io.mykit.delay.spring.example;

import io.mykit.delay.spring.DelayTemplate;
import java.time.Duration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The message that lets an order expire follows the committed row. */
@Service
public class Payments {
    private final JdbcTemplate rows;
    private final DelayTemplate template;

    public Payments(JdbcTemplate rows, DelayTemplate template) {
        this.rows = rows;
        this.template = template;
    }

    @Transactional
    public void order(String number) {
        rows.update("INSERT INTO orders (number, state) VALUES (?, 'OPEN')", number);
        template.send("orders", number, Duration.ofMinutes(30), message -> message.id(expiry(number)));
    }

    /** After a rollback the order is open, and its message still arrives. */
    @Transactional
    public void pay(String number) {
        rows.update("UPDATE orders SET state = 'PAID' WHERE number = ?", number);
        template.cancel(expiry(number))
                .thenAccept(result -> System.out.println("expiry of order " + number + ": " + result));
    }

    @Transactional
    public void giveMoreTime(String number) {
        rows.update("UPDATE orders SET state = 'EXTENDED' WHERE number = ?", number);
        template.reschedule(expiry(number), Duration.ofMinutes(15));
    }

    private static String expiry(String number) {
        return "orders-expiry-" + number;
    }
}
