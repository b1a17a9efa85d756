package io.mykit.delay.channel.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.hosts.Request;
import io.mykit.delay.channel.hosts.VisibleText;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.vertx.core.buffer.Buffer;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The first characters of an answer that says "failed", for the flow log. The status alone decides the fate. A receiver often
 * repeats the address of the request, and the operator's URLs may hold secrets; their parts, and signatures, become {@code ***}.
 * Thread-safe.
 */
final class FailureText implements AnswerBody {
    static final int MAX_BYTES = 4096;
    private static final String HIDDEN = "***";
    private static final Pattern SIGNATURE = Pattern.compile("v1,[A-Za-z0-9+/]{20,}={0,2}");
    /** A shorter part of a path is a word, and a shorter value of a query tells nothing. */
    private static final int MIN_SECRET_SEGMENT = 16;

    private static final int MIN_SECRET_VALUE = 4;

    private final Delivery ofStatus;
    private final List<String> hidden;
    private final Buffer body = Buffer.buffer();

    private FailureText(Delivery ofStatus, List<String> hidden) {
        this.ofStatus = ofStatus;
        this.hidden = hidden;
    }

    /** @param ofStatus the fate that the status decided */
    static FailureText of(Delivery ofStatus, Request request) {
        return new FailureText(ofStatus, request.own() ? List.of() : secrets(request.destination()));
    }

    /** Path and query, each of them, and their long parts: a page of errors may write slashes and encoded characters in another way. */
    private static List<String> secrets(Destination destination) {
        String[] parts = destination.path().split("\\?", 2);
        String query = parts.length == 2 ? parts[1] : "";
        Stream<String> segments =
                Arrays.stream(parts[0].split("/")).filter(segment -> segment.length() >= MIN_SECRET_SEGMENT);
        Stream<String> values = Arrays.stream(query.split("&"))
                .map(pair -> pair.substring(pair.indexOf('=') + 1))
                .filter(value -> value.length() >= MIN_SECRET_VALUE);
        Stream<String> whole =
                Stream.of(destination.path(), parts[0], query).filter(text -> text.length() >= MIN_SECRET_VALUE);
        return Stream.of(whole, segments, values)
                .flatMap(texts -> texts)
                .flatMap(text -> Stream.of(text, URLDecoder.decode(text, UTF_8)))
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    @Override
    public synchronized void add(Buffer part) {
        body.appendBuffer(part, 0, Math.min(part.length(), MAX_BYTES - body.length()));
    }

    @Override
    public int maxBytes() {
        return MAX_BYTES;
    }

    @Override
    public Delivery whole() {
        String text = text();
        return text.isEmpty() ? ofStatus : ofStatus.because(ofStatus.detail() + ": " + text);
    }

    @Override
    public Delivery cut(String why) {
        return whole();
    }

    private synchronized String text() {
        String text = new String(body.getBytes(), UTF_8).strip();
        for (String secret : hidden) {
            text = text.replace(secret, HIDDEN);
        }
        return VisibleText.of(SIGNATURE.matcher(text).replaceAll(HIDDEN));
    }
}
