package io.mykit.delay.spring.listener;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.DelayConsumer;
import io.mykit.delay.client.DelayRequestException;
import io.mykit.delay.spring.Mode;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * The listeners of the application. The consumers start after all other beans and the web server, and stop before them: each
 * of them has the grace to end its running methods. May be started again. Thread-safe.
 */
public final class Listeners implements SmartInitializingSingleton, SmartLifecycle {
    private final ListenerSearch search;
    private final DelayClient client;
    private final Duration grace;
    private final boolean hasCallback;
    /** By topic. The health reads them while a stop holds the lock. */
    private final Map<String, DelayConsumer> consumers = new ConcurrentHashMap<>();

    private volatile Map<String, Endpoint> endpoints = Map.of();
    private volatile boolean running;

    /** @param hasCallback whether the application has the endpoint for callbacks */
    public Listeners(ListenerSearch search, DelayClient client, Duration grace, boolean hasCallback) {
        this.search = search;
        this.client = client;
        this.grace = grace;
        this.hasCallback = hasCallback;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Map<String, Endpoint> byTopic = new LinkedHashMap<>();
        for (Endpoint endpoint : search.find()) {
            if (endpoint.topic().isEmpty()) {
                throw new IllegalStateException("A listener needs a topic: " + endpoint.origin());
            }
            if (endpoint.mode() == Mode.PUSH && !hasCallback) {
                throw new IllegalStateException("A listener with the mode PUSH needs mykit.delay.client.callback.secret"
                        + " in an application with Spring MVC: " + endpoint.origin());
            }
            Endpoint other = byTopic.putIfAbsent(endpoint.topic(), endpoint);
            if (other != null) {
                throw new IllegalStateException("The topic " + endpoint.topic() + " has two listeners: "
                        + other.origin() + " and " + endpoint.origin());
            }
        }
        endpoints = byTopic;
    }

    /** In the order in which they were found; none before all beans are made. */
    public Collection<Endpoint> endpoints() {
        return Collections.unmodifiableCollection(endpoints.values());
    }

    /** The listener that callbacks of this topic are for. */
    public Optional<Endpoint> forCallback(String topic) {
        return Optional.ofNullable(endpoints.get(topic)).filter(endpoint -> endpoint.mode() == Mode.PUSH);
    }

    /** The topics whose latest pull the server refused, each with the reason, such as {@code HTTP 409 NOT_PULLABLE}. */
    public Map<String, String> refusals() {
        Map<String, String> refusals = new TreeMap<>();
        consumers.forEach((topic, consumer) -> consumer.pullFailure().ifPresent(failure -> {
            if (failure instanceof DelayRequestException refusal) {
                refusals.put(topic, ("HTTP " + refusal.status() + " " + refusal.error()).strip());
            }
        }));
        return refusals;
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        running = true;
        for (Endpoint endpoint : endpoints.values()) {
            if (endpoint.mode() == Mode.PULL) {
                DelayConsumer consumer = client.consumer()
                        .topics(endpoint.topic())
                        .concurrency(endpoint.concurrency())
                        .ttr(endpoint.ttr())
                        .resultHandler(message -> endpoint.handle(new PulledByListener(message)))
                        .start();
                consumers.put(endpoint.topic(), consumer);
            }
        }
    }

    /** Stops all consumers at the same time. Bounded by the grace and the timeouts of the client. */
    @Override
    public synchronized void stop() {
        List<Thread> stops = consumers.values().stream()
                .map(consumer -> new Thread(() -> consumer.stop(grace), "mykit-delay-stop"))
                .toList();
        stops.forEach(Thread::start);
        try {
            for (Thread stop : stops) {
                stop.join();
            }
        } catch (InterruptedException e) {
            // The stops go on in their threads.
            Thread.currentThread().interrupt();
        }
        consumers.clear();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 100;
    }
}
