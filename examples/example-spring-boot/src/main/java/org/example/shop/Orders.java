package org.example.shop;

import io.mykit.delay.spring.DelayTemplate;
import io.mykit.delay.spring.DelayedHeader;
import io.mykit.delay.spring.DelayedListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Orders in memory. A call makes or pays one; a message that was sent with the order lets it expire if it is still open. */
@RestController
public class Orders {
    private static final Logger LOG = LoggerFactory.getLogger(Orders.class);
    private static final String OPEN = "OPEN";

    private final DelayTemplate template;
    private final Duration payWithin;
    private final Map<String, String> states = new ConcurrentHashMap<>();

    public Orders(DelayTemplate template, @Value("${shop.pay-within}") Duration payWithin) {
        this.template = template;
        this.payWithin = payWithin;
    }

    @PostMapping("/orders/{number}")
    public String make(@PathVariable String number) {
        states.put(number, OPEN);
        return template.send("orders", new Order(number), payWithin);
    }

    @PostMapping("/orders/{number}/payment")
    public String pay(@PathVariable String number) {
        return states.computeIfPresent(number, (any, state) -> state.equals(OPEN) ? "PAID" : state);
    }

    @GetMapping("/orders/{number}")
    public String state(@PathVariable String number) {
        return states.getOrDefault(number, "UNKNOWN");
    }

    /** May be called twice with the same order: the second call changes nothing. */
    @DelayedListener(topic = "orders", concurrency = 2)
    void expire(Order order, @DelayedHeader("attempt") int attempt) {
        String state = states.computeIfPresent(order.number(), (any, old) -> old.equals(OPEN) ? "EXPIRED" : old);
        LOG.info("Order {} is {} (attempt {})", order.number(), state, attempt);
    }
}
