package io.mykit.delay.spring.example;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.outbox.OutboxListener;
import io.mykit.delay.spring.DelayTemplate;
import java.time.Duration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** A reservation and the message that lets it expire are committed together, or none of them is. */
@Service
public class Reservations implements OutboxListener {
    private final JdbcTemplate rows;
    private final DelayTemplate template;

    public Reservations(JdbcTemplate rows, DelayTemplate template) {
        this.rows = rows;
        this.template = template;
    }

    @Transactional
    public void reserve(String seat) {
        rows.update("INSERT INTO reservations (seat, state) VALUES (?, 'OPEN')", seat);
        template.send("reservations", seat, Duration.ofMinutes(15), message -> message.id(expiry(seat)));
    }

    @Transactional
    public void pay(String seat) {
        rows.update("UPDATE reservations SET state = 'PAID' WHERE seat = ?", seat);
        template.cancel(expiry(seat));
    }

    /** A relay of any instance tells it, perhaps twice. */
    @Override
    @Transactional
    public void cancelled(String id, CancelResult result) {
        if (!result.isCancelled()) {
            rows.update("UPDATE reservations SET state = 'CHECK' WHERE ? = CONCAT('reservations-expiry-', seat)", id);
        }
    }

    private static String expiry(String seat) {
        return "reservations-expiry-" + seat;
    }
}
