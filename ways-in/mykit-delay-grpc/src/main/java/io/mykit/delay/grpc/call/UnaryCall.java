package io.mykit.delay.grpc.call;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.trace.TraceContext;
import io.mykit.delay.grpc.reply.Failures;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** One call in flight. Its event loop reads it and writes the answer, which any thread may give; the first answer ends it. */
final class UnaryCall<Q extends Message, A extends Message> extends ServerCall.Listener<Incoming>
        implements Caller, RequestDeadlines.Incomplete {
    private static final Metadata.Key<String> PARENT =
            Metadata.Key.of(TraceContext.PARENT, Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> STATE =
            Metadata.Key.of(TraceContext.STATE, Metadata.ASCII_STRING_MARSHALLER);

    private final ServerCall<Incoming, A> call;
    private final Call<Q, A> method;
    private final CallParts parts;
    private final Principal caller;
    private final RequestTrace trace;
    /** As the client gave it; null = none. */
    private final String requestId;

    private final CallBytes bytes = CallBytes.current();
    private final long sinceNanos = System.nanoTime();
    private final AtomicBoolean answered = new AtomicBoolean();
    /** The request until its handler takes it. A call that has ended holds none, also if it waits for a worker. */
    private final AtomicReference<Incoming> request = new AtomicReference<>();

    private Runnable gone = () -> {};
    private boolean ended;
    /** The bytes of the answer are counted already. */
    private volatile boolean reserved;

    private UnaryCall(
            ServerCall<Incoming, A> call, Call<Q, A> method, CallParts parts, Principal caller, Metadata headers) {
        this.call = call;
        this.method = method;
        this.parts = parts;
        this.caller = caller;
        this.requestId = headers.get(CallLine.ID);
        this.trace = trace(headers);
        CallLine line = CallLine.current();
        line.admitted(caller);
        line.traced(trace);
    }

    /** Begins a call whose head is complete. A call that is refused never asks for its message. */
    static <Q extends Message, A extends Message> ServerCall.Listener<Incoming> begin(
            ServerCall<Incoming, A> call, Call<Q, A> method, CallParts parts, Metadata headers) {
        long sinceNanos = System.nanoTime();
        int inFlight = parts.meters().begin();
        try {
            Principal caller = parts.admission().admit(method.rules().access(), headers, inFlight);
            parts.traffic().note();
            UnaryCall<Q, A> begun = new UnaryCall<>(call, method, parts, caller, headers);
            parts.deadlines().begun(begun);
            begun.bytes.onOverflow(Long.MAX_VALUE, begun::overflow);
            call.request(2);
            return begun;
        } catch (DelayException refused) {
            if (method.rules().pushes() && refused.code() == ErrorCode.BUSY) {
                parts.refusedPushes().accept(ErrorCode.BUSY);
            }
            long pause = parts.admission().pauseSeconds(refused, headers, address(call));
            Metadata trailers = pause > 0 ? Failures.trailers(refused, pause) : Failures.trailers(refused);
            call.close(Failures.status(refused), trailers);
            parts.meters().end(method.name(), Failures.code(refused.code()), System.nanoTime() - sinceNanos);
            return new ServerCall.Listener<>() {};
        } catch (RuntimeException | Error defect) {
            // The library ends the call. It must not count as one in flight for ever.
            parts.meters().end(method.name(), Status.Code.UNKNOWN, System.nanoTime() - sinceNanos);
            throw defect;
        }
    }

    @Override
    public void onMessage(Incoming message) {
        if (answered.get()) {
            return;
        }
        if (!request.compareAndSet(null, message)) {
            refuse(FieldRules.invalid("the call has more than one message"));
        } else if (message.bytes() != null) {
            bytes.unpacked(message.bytes().length);
        }
    }

    @Override
    public void onHalfClose() {
        parts.deadlines().complete(this);
        if (answered.get()) {
            // Refused while its message came: the library goes on with what it has read.
            return;
        }
        if (request.get() == null) {
            refuse(FieldRules.invalid("the call has no message"));
            return;
        }
        if (method.rules().limited() == null) {
            begin();
            return;
        }
        CompletableFuture<Permit> asked = parts.limits()
                .ask(caller, method.rules().limited(), method.rules().firstItems());
        if (asked.isDone()) {
            begin(asked.join());
            return;
        }
        Executor loop = parts.loops().get();
        var unused = asked.thenAccept(permit -> {
            try {
                loop.execute(() -> begin(permit));
            } catch (RejectedExecutionException closed) {
                begin(permit);
            }
        });
    }

    private void begin(Permit permit) {
        permit.refusal().ifPresentOrElse(this::refuse, this::begin);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // thenCompose waits for the inner future of a worker's call.
    private void begin() {
        CompletableFuture<A> answer;
        try {
            answer = method.rules().onWorker()
                    ? parts.workers().run(this::handle).thenCompose(running -> running)
                    : handle();
        } catch (DelayException refused) {
            refuse(refused);
            return;
        } catch (RuntimeException | Error defect) {
            fail(defect);
            return;
        }
        if (answer.isDone()) {
            end(answer);
            return;
        }
        Executor loop = parts.loops().get();
        var unused = answer.whenComplete((message, failure) -> {
            try {
                // The thread that has the answer commits the next pushes; it does not write those of the last ones.
                loop.execute(() -> end(answer));
            } catch (RejectedExecutionException closed) {
                end(answer);
            }
        });
    }

    private void end(CompletableFuture<A> answer) {
        A message;
        try {
            message = answer.join();
        } catch (RuntimeException failure) {
            fail(failure);
            return;
        }
        answer(message);
    }

    private CompletableFuture<A> handle() {
        Incoming complete = request.getAndSet(null);
        if (complete == null) {
            // The client left while the call waited for its worker.
            return CompletableFuture.failedFuture(new CancellationException());
        }
        if (complete.broken()) {
            throw FieldRules.invalid("the message cannot be decompressed");
        }
        if (complete.bytes() == null) {
            throw new DelayException(
                    ErrorCode.TOO_LARGE,
                    "the message is larger than " + method.rules().maxBytes() + " bytes ("
                            + method.rules().limitKey() + ")");
        }
        Q read;
        try {
            read = method.parser().parseFrom(complete.bytes());
        } catch (InvalidProtocolBufferException broken) {
            throw FieldRules.invalid("these bytes are no "
                    + method.method().getServiceName().replaceAll("[^.]*$", "")
                    + "message of the call " + method.name() + ": " + reason(broken));
        }
        return method.handler().handle(read, this);
    }

    /** The parser's own sentence goes on for lines; its first one says what is wrong. */
    private static String reason(InvalidProtocolBufferException broken) {
        String text = String.valueOf(broken.getMessage());
        return text.contains("UTF-8") ? "a string is not UTF-8" : text.replaceAll("\\. .*|\\.$", "");
    }

    /** The client went away, or its deadline is over; or the connection broke before the answer was sent. */
    @Override
    public void onCancel() {
        ended = true;
        parts.deadlines().complete(this);
        request.set(null);
        if (answered.compareAndSet(false, true)) {
            end(Status.Code.CANCELLED);
        }
        gone.run();
    }

    /** The client has the answer; or the library itself has refused the message, before any answer of ours. */
    @Override
    public void onComplete() {
        ended = true;
        parts.deadlines().complete(this);
        request.set(null);
        if (answered.compareAndSet(false, true)) {
            end(Status.Code.UNKNOWN);
            gone.run();
        }
    }

    @Override
    public String name() {
        return caller.name() + " from " + address();
    }

    @Override
    public Principal principal() {
        return caller;
    }

    @Override
    public String address() {
        return address(call);
    }

    @Override
    public String requestId() {
        return requestId;
    }

    @Override
    public RequestTrace trace() {
        return trace;
    }

    @Override
    public void whenGone(Runnable task) {
        gone = task;
        if (ended) {
            task.run();
        }
    }

    @Override
    public boolean reserve(int size) {
        reserved = true;
        return bytes.take(size);
    }

    @Override
    public void tooLate() {
        refuse(FieldRules.invalid("the message did not come within " + RequestDeadlines.BOUND.toSeconds() + " s"));
    }

    private void overflow() {
        refuse(new DelayException(ErrorCode.BUSY, "too many bytes of calls without an answer; try again"));
    }

    /** The call is refused before the engine saw it. */
    private void refuse(DelayException refused) {
        if (method.rules().pushes() && !answered.get()) {
            parts.refusedPushes().accept(refused.code());
        }
        fail(refused);
    }

    private void fail(Throwable failure) {
        if (answered.compareAndSet(false, true)) {
            DelayException known = Failures.known(failure);
            call.close(Failures.status(known), Failures.trailers(known));
            end(Failures.code(known.code()));
        }
    }

    private void answer(A message) {
        if (answered.compareAndSet(false, true)) {
            if (!reserved) {
                // What is done is answered, however many bytes wait for their clients; further calls are refused.
                bytes.take(message.getSerializedSize());
            }
            call.sendHeaders(new Metadata());
            call.sendMessage(message);
            call.close(Status.OK, new Metadata());
            end(Status.Code.OK);
        }
    }

    private void end(Status.Code code) {
        trace.answered(code.value());
        parts.meters().end(method.name(), code, System.nanoTime() - sinceNanos);
    }

    /** Only the calls of producers and consumers have traces, as those of HTTP. */
    private RequestTrace trace(Metadata headers) {
        if (!method.rules().access().isTraced()) {
            return RequestTrace.NONE;
        }
        String parent = headers.get(PARENT);
        return parts.traces().begin(method.span(), parent, parent == null ? List.of() : states(headers), sinceNanos);
    }

    private static List<String> states(Metadata headers) {
        List<String> states = new ArrayList<>();
        if (headers.containsKey(STATE)) {
            headers.getAll(STATE).forEach(states::add);
        }
        return states;
    }

    private static String address(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress remote
                        && remote.getAddress() != null
                ? remote.getAddress().getHostAddress()
                : "";
    }
}
