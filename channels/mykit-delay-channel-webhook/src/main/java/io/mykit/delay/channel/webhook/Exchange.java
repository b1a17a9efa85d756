package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.hosts.Call;
import io.mykit.delay.channel.hosts.Circuit;
import io.mykit.delay.channel.hosts.Place;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One attempt of one message: lookup, check of the addresses, connection, request, status. The status decides the fate; the rest
 * of the answer is read up to a bound, so that the connection can be used again. The reason of a failure has the begin of the body, and a
 * topic may keep the body of its answers; then the fate is known at the end. All steps after {@link #begin} run on the event loop; any thread may {@link #decide}.
 */
final class Exchange implements Call {
    private static final int MAX_ADDRESSES = 4;

    private final Sender sender;
    private final Outgoing outgoing;
    private final Request request;
    private final CompletableFuture<Delivery> fate = new CompletableFuture<>();
    private Place place;
    private boolean over;
    private long timer;
    /** Null until there is a connection. */
    private HttpClientRequest sent;

    private int answerBytes;
    /** Null unless the fate waits for the end of the answer. */
    private volatile AnswerBody body;
    /** Written before the fate is decided. */
    private volatile boolean unconnected;

    Exchange(Sender sender, Outgoing outgoing, Request request) {
        this.sender = sender;
        this.outgoing = outgoing;
        this.request = request;
    }

    CompletableFuture<Delivery> fate() {
        return fate;
    }

    /** Whether the fate is decided because there was no connection. So the receiver got nothing. */
    boolean unconnected() {
        return unconnected;
    }

    @Override
    public String receiver() {
        return request.receiver();
    }

    @Override
    public boolean own() {
        return request.own();
    }

    @Override
    public boolean hasCircuit() {
        return request.own() || request.toInstance();
    }

    @Override
    public long dueTimeMs() {
        return outgoing.message().dueTimeMs();
    }

    @Override
    public void decide(Delivery decided) {
        AnswerBody begun = body;
        fate.complete(begun == null ? decided : begun.cut(decided.detail()));
    }

    @Override
    public void begin(Place taken) {
        place = taken;
        safely(() -> sender.link().onLoop(() -> safely(this::lookUp)));
    }

    private void lookUp() {
        timer = sender.link().timer(sender.timeout(), this::timedOut);
        sender.lookups().addresses(request.destination()).whenComplete((addresses, thrown) -> sender.link()
                .onLoop(() -> safely(() -> lookedUp(addresses, thrown))));
    }

    private void lookedUp(List<InetAddress> addresses, Throwable thrown) {
        if (over) {
            return;
        }
        if (thrown != null) {
            boolean wrapped = thrown instanceof CompletionException && thrown.getCause() != null;
            notConnected("lookup: " + Reasons.of(wrapped ? thrown.getCause() : thrown));
        } else if (request.isGuarded() && !sender.targets().allow(request.destination(), addresses)) {
            end(Delivery.failed("address not allowed: webhook.targets does not open it"));
        } else {
            byte[] content = request.hasBody() ? outgoing.message().bodyBytes() : new byte[0];
            Map<String, String> headers =
                    sender.head().of(outgoing, content, sender.clock().instant());
            List<InetAddress> some = addresses.subList(0, Math.min(addresses.size(), MAX_ADDRESSES));
            sender.link()
                    .connectAny(request.destination(), some, request.method(), headers)
                    .onComplete(
                            connected -> safely(() -> write(connected, Buffer.buffer(content))),
                            refused -> safely(() -> notConnected(Reasons.of(refused))));
        }
    }

    private void write(HttpClientRequest connected, Buffer content) {
        sent = connected;
        if (!over && !outgoing.mayBeSent().getAsBoolean()) {
            // The term of this leader, or the lease, ended while the message waited.
            end(Delivery.notSent("not sent: this node may not send it any more"));
        }
        if (over) {
            connected.reset();
            return;
        }
        // Vert.x logs an answer that is no HTTP as severe, unless there is a handler. The fate has the reason.
        connected.connection().exceptionHandler(broken -> {});
        (request.hasBody() ? connected.send(content) : connected.send())
                .onComplete(answer -> safely(() -> answered(answer)), broken -> safely(() -> broke(broken)));
    }

    private void answered(HttpClientResponse answer) {
        if (over) {
            return;
        }
        int status = answer.statusCode();
        Delivery decided = sender.answers()
                .fate(
                        status,
                        answer.getHeader("retry-after"),
                        request.own(),
                        sender.clock().instant());
        place.saw(Answers.isReceiverIll(status) ? Circuit.Sign.ILL : Circuit.Sign.WELL);
        tell(decided);
        body = sender.body(decided, outgoing.message(), request, answer);
        if (body == null) {
            decide(decided);
        }
        answer.handler(this::read);
        answer.exceptionHandler(broken -> cut("the connection was lost in it"));
        answer.endHandler(ended -> readToEnd());
    }

    private void read(Buffer part) {
        answerBytes += part.length();
        if (body != null) {
            body.add(part);
        }
        int most = body == null ? FailureText.MAX_BYTES : body.maxBytes();
        if (answerBytes > most && !over) {
            readToEnd();
            sent.reset();
        }
    }

    private void readToEnd() {
        if (body != null) {
            fate.complete(body.whole());
        }
        gone();
    }

    /** The answer does not end. The fate stays that of its status. */
    private void cut(String why) {
        if (body != null) {
            fate.complete(body.cut(why));
        }
        gone();
    }

    private void broke(Throwable thrown) {
        String detail = "connection lost before the answer: " + Reasons.of(thrown);
        fail(request.own() ? Delivery.failed(detail) : Delivery.unclear(detail));
    }

    private void notConnected(String why) {
        unconnected = !over && !fate.isDone();
        String detail = "no connection: " + why;
        fail(request.own() ? Delivery.failed(detail) : Delivery.notSent(detail));
    }

    private void timedOut() {
        if (over) {
            return;
        }
        String within = " within " + sender.timeout().toMillis() + " ms";
        if (fate.isDone() || body != null) {
            cut("it did not end" + within);
        } else if (sent == null) {
            notConnected(within.strip());
        } else {
            fail(Delivery.failed("no answer" + within));
        }
        if (sent != null) {
            sent.reset();
        }
    }

    /** Ends with a failure of the receiver, which the next request must know: it may begin as soon as the fate is decided. */
    private void fail(Delivery decided) {
        if (!over && !fate.isDone()) {
            place.saw(Circuit.Sign.SILENT);
        }
        end(decided);
    }

    private void end(Delivery decided) {
        if (!over) {
            tell(decided);
            decide(decided);
            gone();
        }
    }

    private void tell(Delivery decided) {
        if (decided.kind() != Delivery.Kind.DELIVERED) {
            sender.failures().accept(request.receiver() + ": " + decided.detail());
        }
    }

    private void gone() {
        if (!over) {
            over = true;
            sender.link().cancel(timer);
            place.leave();
        }
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
