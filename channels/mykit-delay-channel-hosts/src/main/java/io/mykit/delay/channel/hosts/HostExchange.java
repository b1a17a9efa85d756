package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.Reasons;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One attempt of one message: lookup, check of the addresses, connection, request, answer. A subclass writes the request and reads the
 * answer; it ends each attempt with {@link #decide} and {@link #gone}, or with {@link #end}. All steps after {@link #begin} run on the event loop; any
 * thread may {@link #decide}.
 */
public abstract class HostExchange implements Call {
    private static final int MAX_ADDRESSES = 4;

    private final Hosts hosts;
    private final Outgoing outgoing;
    private final Request request;
    private final CompletableFuture<Delivery> fate = new CompletableFuture<>();
    private Place place;
    private boolean over;
    private long timer;
    private long endNanos;
    /** Null until there is a connection. */
    private HttpClientRequest sent;
    /** Written before the fate is decided. */
    private volatile boolean unconnected;

    protected HostExchange(Hosts hosts, Outgoing outgoing, Request request) {
        this.hosts = hosts;
        this.outgoing = outgoing;
        this.request = request;
    }

    /** The method of HTTP. */
    protected abstract String method();

    /** The headers of the request, made when the addresses are known. */
    protected abstract Map<String, String> headers();

    /** Writes the request. */
    protected abstract Future<HttpClientResponse> write(HttpClientRequest connected);

    /** The head of the answer is there. */
    protected abstract void answered(HttpClientResponse answer);

    /** The connection ended, or the receiver ended the request, before the head of the answer. */
    protected void broke(Throwable thrown) {
        String detail = "connection lost before the answer: " + Reasons.of(thrown);
        fail(request.own() ? Delivery.failed(detail) : Delivery.unclear(detail));
    }

    /** Whether the fate is known, or waits for the end of an answer that cannot change it. */
    protected boolean isKnown() {
        return fate.isDone();
    }

    /** The answer does not end. The fate stays that of its head. */
    protected void cut(String why) {
        gone();
    }

    final CompletableFuture<Delivery> fate() {
        return fate;
    }

    /** Whether the fate is decided because there was no connection. So the receiver got nothing. */
    final boolean unconnected() {
        return unconnected;
    }

    protected final Outgoing outgoing() {
        return outgoing;
    }

    protected final Request request() {
        return request;
    }

    /** Whether the place was given back. */
    protected final boolean isOver() {
        return over;
    }

    /** The time until the timeout; at least a millisecond. */
    protected final Duration timeLeft() {
        long leftNanos = endNanos - System.nanoTime();
        return leftNanos < Duration.ofMillis(1).toNanos() ? Duration.ofMillis(1) : Duration.ofNanos(leftNanos);
    }

    @Override
    public final String receiver() {
        return request.receiver();
    }

    @Override
    public final boolean own() {
        return request.own();
    }

    @Override
    public final boolean hasCircuit() {
        return request.own() || request.toInstance();
    }

    @Override
    public final long dueTimeMs() {
        return outgoing.message().dueTimeMs();
    }

    @Override
    public void decide(Delivery decided) {
        fate.complete(decided);
    }

    @Override
    public final void begin(Place taken) {
        place = taken;
        safely(() -> hosts.link().onLoop(() -> safely(this::lookUp)));
    }

    private void lookUp() {
        endNanos = System.nanoTime() + hosts.timeout().toNanos();
        timer = hosts.link().timer(hosts.timeout(), this::timedOut);
        hosts.lookups().addresses(request.destination()).whenComplete((addresses, thrown) -> hosts.link()
                .onLoop(() -> safely(() -> lookedUp(addresses, thrown))));
    }

    private void lookedUp(List<InetAddress> addresses, Throwable thrown) {
        if (over) {
            return;
        }
        if (thrown != null) {
            boolean wrapped = thrown instanceof CompletionException && thrown.getCause() != null;
            notConnected("lookup: " + Reasons.of(wrapped ? thrown.getCause() : thrown));
        } else if (request.isGuarded() && !hosts.targets().allow(request.destination(), addresses)) {
            end(Delivery.failed("address not allowed: " + hosts.channel() + ".targets does not open it"));
        } else {
            List<InetAddress> some = addresses.subList(0, Math.min(addresses.size(), MAX_ADDRESSES));
            hosts.link()
                    .connectAny(request.destination(), some, method(), headers())
                    .onComplete(
                            connected -> safely(() -> send(connected)),
                            refused -> safely(() -> notConnected(Reasons.of(refused))));
        }
    }

    private void send(HttpClientRequest connected) {
        // Vert.x logs what no handler gets as severe: a reset by this node, and an answer that is no HTTP. The fate has
        // the reason.
        connected.exceptionHandler(broken -> {});
        connected.connection().exceptionHandler(broken -> {});
        if (over) {
            connected.reset();
            return;
        }
        sent = connected;
        hosts.link().uses(connected);
        if (!outgoing.mayBeSent().getAsBoolean()) {
            // The term of this leader, or the lease, ended while the message waited.
            end(Delivery.notSent("not sent: this node may not send it any more"));
            connected.reset();
            return;
        }
        write(connected).onComplete(answer -> safely(() -> arrived(answer)), broken -> safely(() -> broke(broken)));
    }

    private void arrived(HttpClientResponse answer) {
        if (!over) {
            answered(answer);
        }
    }

    /** The receiver was not reached. */
    protected final void notConnected(String why) {
        unconnected = !over && !fate.isDone();
        String detail = "no connection: " + why;
        fail(request.own() ? Delivery.failed(detail) : Delivery.notSent(detail));
    }

    private void timedOut() {
        if (over) {
            return;
        }
        if (isKnown()) {
            cut("it did not end" + within());
        } else if (sent == null) {
            notConnected(within().strip());
        } else {
            failLate();
            hosts.link().doubt(sent);
        }
        if (sent != null) {
            sent.reset();
        }
    }

    /** Ends without an answer in time. */
    protected final void failLate() {
        fail(Delivery.failed("no answer" + within()));
    }

    private String within() {
        return " within " + hosts.timeout().toMillis() + " ms";
    }

    /** Ends with a failure of the receiver, which the next request must know: it may begin as soon as the fate is decided. */
    protected final void fail(Delivery decided) {
        if (!over && !fate.isDone()) {
            place.saw(Sign.SILENT);
        }
        end(decided);
    }

    /** Reports what the answer showed about the receiver. Called once at most, and before {@link #gone}. */
    protected final void saw(Sign sign) {
        place.saw(sign);
    }

    protected final void end(Delivery decided) {
        if (!over) {
            tell(decided);
            decide(decided);
            gone();
        }
    }

    /** Keeps the reason of a failure for {@code /health}. */
    protected final void tell(Delivery decided) {
        if (decided.kind() != Delivery.Kind.DELIVERED) {
            hosts.failed(request.receiver() + ": " + decided.detail());
        }
    }

    /** The fate is decided, and the whole answer was read. */
    protected final void gone() {
        if (!over) {
            over = true;
            hosts.link().cancel(timer);
            if (sent != null) {
                hosts.link().leaves(sent);
            }
            place.leave();
        }
    }

    /** Reads no more of the answer. */
    protected final void reset() {
        sent.reset();
    }

    /** A step that throws must not leave the fate open and the place taken. */
    private void safely(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            end(Delivery.unclear(Reasons.of(e)));
            if (sent != null) {
                sent.reset();
            }
        }
    }
}
