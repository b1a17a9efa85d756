package io.mykit.delay.channel.webhook;

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
import java.util.Map;

/**
 * One HTTP request. The status decides the fate; the rest of the answer is read up to a bound, so that the connection can be used
 * again. The reason of a failure has the begin of the body, and a topic may keep the body of its answers; then the fate is known at the end.
 */
final class Exchange extends HostExchange {
    private final Sender sender;
    private byte[] content = {};
    private int answerBytes;
    /** Null unless the fate waits for the end of the answer. */
    private volatile AnswerBody body;

    Exchange(Hosts hosts, Sender sender, Outgoing outgoing, Request request) {
        super(hosts, outgoing, request);
        this.sender = sender;
    }

    @Override
    public void decide(Delivery decided) {
        AnswerBody begun = body;
        super.decide(begun == null ? decided : begun.cut(decided.detail()));
    }

    @Override
    protected String method() {
        return request().form();
    }

    @Override
    protected Map<String, String> headers() {
        content = hasBody() ? outgoing().message().bodyBytes() : content;
        return sender.head().of(outgoing(), content, sender.clock().instant());
    }

    @Override
    protected Future<HttpClientResponse> write(HttpClientRequest connected) {
        return hasBody() ? connected.send(Buffer.buffer(content)) : connected.send();
    }

    /** GET and DELETE have no body. */
    private boolean hasBody() {
        return !method().equals("GET") && !method().equals("DELETE");
    }

    @Override
    protected void answered(HttpClientResponse answer) {
        int status = answer.statusCode();
        Delivery decided = sender.answers()
                .fate(
                        status,
                        answer.getHeader("retry-after"),
                        request().own(),
                        sender.clock().instant());
        saw(Answers.isReceiverIll(status) ? Sign.ILL : Sign.WELL);
        tell(decided);
        body = sender.body(decided, outgoing().message(), request(), answer);
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
        if (answerBytes > most && !isOver()) {
            readToEnd();
            reset();
        }
    }

    private void readToEnd() {
        if (body != null) {
            super.decide(body.whole());
        }
        gone();
    }

    @Override
    protected boolean isKnown() {
        return body != null || super.isKnown();
    }

    @Override
    protected void cut(String why) {
        if (body != null) {
            super.decide(body.cut(why));
        }
        super.cut(why);
    }
}
