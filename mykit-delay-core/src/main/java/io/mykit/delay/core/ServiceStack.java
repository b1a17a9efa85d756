package io.mykit.delay.core;

import io.mykit.delay.common.lifecycle.Service;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what was started, the last first. May be closed by another thread than the one that starts. */
final class ServiceStack implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceStack.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private boolean closed;

    /** Starts it; whatever comes of that, it is closed with the rest. A close from elsewhere waits for the start. */
    synchronized <T extends Service> T start(T service) {
        opened(service);
        service.start();
        return service;
    }

    /** Takes over something that is open already. */
    synchronized <T extends AutoCloseable> T opened(T resource) {
        if (closed) {
            throw new IllegalStateException("stopped while starting");
        }
        open.push(resource);
        return resource;
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!open.isEmpty()) {
            AutoCloseable next = open.pop();
            try {
                next.close();
            } catch (Exception e) {
                LOG.warn("{} was not closed cleanly", next.getClass().getSimpleName(), e);
            }
        }
    }
}
