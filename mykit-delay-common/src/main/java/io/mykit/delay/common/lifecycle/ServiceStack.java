package io.mykit.delay.common.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes the started services in reverse order. Another thread than the one that starts may close it. */
public final class ServiceStack implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceStack.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private boolean closed;

    /**
     * Starts a service. It is closed with the others also if its start fails. A close by another thread waits for the
     * start.
     */
    public synchronized <T extends Service> T start(T service) {
        opened(service);
        service.start();
        return service;
    }

    /** Takes over a resource that is already open. */
    public synchronized <T extends AutoCloseable> T opened(T resource) {
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
                LOG.warn(
                        "{} did not close cleanly; the stop goes on",
                        next.getClass().getSimpleName(),
                        e);
            }
        }
    }
}
