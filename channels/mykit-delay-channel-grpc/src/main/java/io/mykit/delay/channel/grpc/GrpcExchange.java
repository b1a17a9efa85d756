package io.mykit.delay.channel.grpc;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.hosts.HostExchange;
import io.mykit.delay.channel.hosts.Hosts;
import io.mykit.delay.channel.hosts.Request;
import io.mykit.delay.channel.hosts.Sign;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import java.time.Duration;
import java.util.Map;

/**
 * One unary call: the request message is one frame, {@code grpc-timeout} is what is left of the timeout, and the trailers of the answer
 * have the status, which decides the fate. The answer's message is thrown away.
 */
final class GrpcExchange extends HostExchange {
    /** As the limit that most clients have. */
    static final int MAX_ANSWER_BYTES = 4 * 1024 * 1024;

    private static final int OK = 200;
    private static final int FRAME_HEAD_BYTES = 5;
    private static final String CONTENT_TYPE = "content-type";
    /** RFC 9113: the receiver did not process the request. */
    private static final int REFUSED_STREAM = 7;
    /** A receiver that resets a call so close to its deadline does so because of the deadline. */
    private static final Duration LATE = Duration.ofMillis(100);

    private long answerBytes;

    GrpcExchange(Hosts hosts, Outgoing outgoing, Request request) {
        super(hosts, outgoing, request);
    }

    @Override
    protected String method() {
        return "POST";
    }

    @Override
    protected Map<String, String> headers() {
        return Metadata.of(outgoing(), Format.of(request().form()));
    }

    @Override
    protected Future<HttpClientResponse> write(HttpClientRequest connected) {
        if (connected.version() != HttpVersion.HTTP_2) {
            notConnected("the receiver does not speak HTTP/2");
            reset();
            return connected.response();
        }
        byte[] body = outgoing().message().bodyBytes();
        Buffer frame = Buffer.buffer(FRAME_HEAD_BYTES + body.length)
                .appendByte((byte) 0)
                .appendInt(body.length)
                .appendBytes(body);
        connected.putHeader("grpc-timeout", timeLeft().toMillis() + "m");
        return connected.send(frame);
    }

    @Override
    protected void answered(HttpClientResponse answer) {
        String type = answer.getHeader(CONTENT_TYPE);
        if (answer.statusCode() != OK || type == null || !type.startsWith("application/grpc")) {
            ended(CallStatus.ofHttp(answer.statusCode(), type));
            reset();
            return;
        }
        answer.handler(this::read);
        answer.exceptionHandler(broken -> broke(broken));
        answer.endHandler(ended -> {
            boolean trailersOnly = answer.headers().contains("grpc-status");
            ended(CallStatus.of(trailersOnly ? answer.headers() : answer.trailers()));
        });
    }

    private void read(Buffer part) {
        answerBytes += part.length();
        if (answerBytes > MAX_ANSWER_BYTES && !isOver()) {
            saw(Sign.WELL);
            end(Delivery.failed("the answer is larger than " + MAX_ANSWER_BYTES + " bytes"));
            reset();
        }
    }

    private void ended(CallStatus status) {
        if (!isOver()) {
            saw(status.code().isReceiverIll() ? Sign.ILL : Sign.WELL);
            end(status.fate(request().own()));
        }
    }

    @Override
    protected void broke(Throwable thrown) {
        if (thrown instanceof StreamResetException reset && reset.getCode() == REFUSED_STREAM) {
            String detail = "the receiver refused the call unprocessed";
            fail(request().own() ? Delivery.failed(detail) : Delivery.notSent(detail));
        } else if (thrown instanceof StreamResetException && timeLeft().compareTo(LATE) <= 0) {
            failLate();
        } else {
            super.broke(thrown);
        }
    }
}
