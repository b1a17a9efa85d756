package io.mykit.delay.grpc.call;

import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.log.RequestAnswer;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.log.RequestMark;
import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.v1.DelayServiceGrpc;
import java.net.InetSocketAddress;

/**
 * The id of one call, and its line in the log of requests. Each call has them, also a call that the library refuses. The event loop of the
 * call uses them, and the thread that has the answer before that.
 */
final class CallLine extends ServerStreamTracer {
    static final Metadata.Key<String> ID = Metadata.Key.of(RequestLog.ID, Metadata.ASCII_STRING_MARSHALLER);

    private static final Context.Key<CallLine> KEY = Context.key("mykit-delay-call-line");
    private static final Metadata.Key<String> AGENT = Metadata.Key.of("user-agent", Metadata.ASCII_STRING_MARSHALLER);

    private final RequestLog log;
    private final RequestMark mark;
    private final String agent;
    private final long sinceNanos = System.nanoTime();
    private String route = "none";
    private String address = "";
    private long bytesIn;
    private long bytesOut;

    private CallLine(RequestLog log, Metadata headers) {
        this.log = log;
        this.mark = log.begin(headers.get(ID));
        this.agent = mark.logged() ? headers.get(AGENT) : null;
    }

    /** Makes those of each call. */
    static Factory writing(RequestLog log) {
        return new Factory() {
            @Override
            public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
                return new CallLine(log, headers);
            }
        };
    }

    /** That of the call whose handler begins on this thread. */
    static CallLine current() {
        return KEY.get();
    }

    /** That of its client, or one that was made for its line; null = none. */
    String id() {
        return mark.id();
    }

    void admitted(Principal caller) {
        mark.admitted(caller.name(), null);
    }

    void traced(RequestTrace trace) {
        if (mark.logged()) {
            mark.traced(trace.traceId(), trace.spanId());
        }
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(KEY, this);
    }

    /** The method is known. */
    @Override
    public void serverCallStarted(ServerCallInfo<?, ?> call) {
        route = DelayServiceGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName())
                ? call.getMethodDescriptor().getBareMethodName()
                : call.getMethodDescriptor().getFullMethodName();
        if (call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress remote
                && remote.getAddress() != null) {
            address = remote.getAddress().getHostAddress();
        }
    }

    @Override
    public void inboundWireSize(long bytes) {
        bytesIn += bytes;
    }

    @Override
    public void outboundWireSize(long bytes) {
        bytesOut += bytes;
    }

    @Override
    public void streamClosed(Status status) {
        if (!mark.logged()) {
            return;
        }
        log.answered(
                mark,
                new RequestAnswer(
                        "gRPC",
                        route,
                        0,
                        status.getCode().name(),
                        !status.isOk(),
                        bytesIn,
                        bytesOut,
                        address,
                        agent,
                        System.nanoTime() - sinceNanos));
    }
}
