package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.fault.history.Call;
import io.mykit.delay.test.server.FreePorts;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The receivers of callbacks: faults hit some of them, one stays well, and one is slow. */
public final class Receivers implements AutoCloseable {
    private static final long SLOW_MS = 500;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Receiver steady = new Receiver(vertx, FreePorts.next());
    private final Receiver slow = new Receiver(vertx, FreePorts.next(), SLOW_MS);
    private final List<Receiver> breakable = Stream.generate(() -> new Receiver(vertx, FreePorts.next()))
            .limit(2)
            .toList();

    /** No fault hits it. */
    public Receiver steady() {
        return steady;
    }

    /** No fault hits it, and each answer takes half a second. */
    public Receiver slow() {
        return slow;
    }

    public List<Receiver> breakable() {
        return breakable;
    }

    /** All requests in the order of their arrival. */
    public List<Call> calls() {
        return Stream.concat(Stream.of(steady, slow), breakable.stream())
                .flatMap(receiver -> receiver.calls().stream())
                .sorted(Comparator.comparingLong(Call::atMs))
                .toList();
    }

    @Override
    public void close() {
        steady.close();
        slow.close();
        breakable.forEach(Receiver::close);
        vertx.close().await();
    }
}
