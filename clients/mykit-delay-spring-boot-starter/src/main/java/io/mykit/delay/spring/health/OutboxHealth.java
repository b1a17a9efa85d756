package io.mykit.delay.spring.health;

import io.mykit.delay.outbox.OutboxState;
import io.mykit.delay.spring.outbox.OutboxProbe;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The health of the outbox: down if its table cannot be read. Calls that wait, or were refused, are details. */
public record OutboxHealth(OutboxProbe probe) {
    public Finding look() {
        Map<String, Object> details = new LinkedHashMap<>();
        Optional<OutboxState> state = probe.state();
        state.ifPresent(found -> {
            details.put("rows", found.rows());
            details.put("oldestAge", found.oldestAge().toString());
            details.put("setAside", found.setAside());
        });
        probe.failure().ifPresent(reason -> details.put("table", reason));
        probe.relay().failure().ifPresent(reason -> details.put("relay", reason));
        return new Finding(state.isPresent(), details);
    }
}
