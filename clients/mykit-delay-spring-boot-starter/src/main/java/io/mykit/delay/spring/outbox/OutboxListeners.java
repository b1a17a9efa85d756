package io.mykit.delay.spring.outbox;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.outbox.OutboxListener;
import io.mykit.delay.outbox.SetAside;
import java.util.List;

/** Tells each listener of the application, in their order. */
public record OutboxListeners(List<OutboxListener> listeners) implements OutboxListener {
    @Override
    public void cancelled(String id, CancelResult result) {
        listeners.forEach(listener -> listener.cancelled(id, result));
    }

    @Override
    public void rescheduled(String id, RescheduleResult result) {
        listeners.forEach(listener -> listener.rescheduled(id, result));
    }

    @Override
    public void cancelledOfKey(String topic, String bizKey, List<KeyedResult<CancelResult>> results) {
        listeners.forEach(listener -> listener.cancelledOfKey(topic, bizKey, results));
    }

    @Override
    public void rescheduledOfKey(String topic, String bizKey, List<KeyedResult<RescheduleResult>> results) {
        listeners.forEach(listener -> listener.rescheduledOfKey(topic, bizKey, results));
    }

    @Override
    public void setAside(SetAside refused) {
        listeners.forEach(listener -> listener.setAside(refused));
    }
}
