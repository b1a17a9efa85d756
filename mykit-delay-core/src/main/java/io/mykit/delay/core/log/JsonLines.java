package io.mykit.delay.core.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.event.KeyValuePair;

/**
 * Writes each event as one JSON object on one line of at most 32 KiB. Logback's own encoder has fixed names for its fields, and
 * no bounds. Thread-safe.
 */
final class JsonLines extends EncoderBase<ILoggingEvent> {
    static final int MAX_NAME = 256;
    private static final int MAX_MESSAGE = 10 << 10;
    private static final int MAX_STACK = 12 << 10;
    private static final int MAX_REASON = 2 << 10;
    private static final int MAX_VALUE = 512;
    private static final int MAX_VALUES = 12;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final NodeFacts facts;

    JsonLines(NodeFacts facts) {
        this.facts = facts;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        JsonText line = new JsonText()
                .add("@timestamp", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())), MAX_NAME)
                .add("level", event.getLevel().toString().toLowerCase(Locale.ROOT), MAX_NAME)
                .add("logger", event.getLoggerName(), MAX_NAME)
                .add("thread", String.valueOf(event.getThreadName()), MAX_NAME)
                .add("message", String.valueOf(event.getFormattedMessage()), MAX_MESSAGE);
        facts.addTo(line);
        addPairs(line, event);
        addError(line, event.getThrowableProxy());
        return line.line();
    }

    @Override
    public byte[] headerBytes() {
        return null;
    }

    @Override
    public byte[] footerBytes() {
        return null;
    }

    private static void addPairs(JsonText line, ILoggingEvent event) {
        int left = MAX_VALUES;
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            for (KeyValuePair pair : pairs.subList(0, Math.min(left, pairs.size()))) {
                line.addAny(pair.key, pair.value, MAX_VALUE);
                left--;
            }
        }
        for (Map.Entry<String, String> entry : event.getMDCPropertyMap().entrySet()) {
            if (left-- > 0) {
                line.addAny(entry.getKey(), entry.getValue(), MAX_VALUE);
            }
        }
    }

    private static void addError(JsonText line, IThrowableProxy error) {
        if (error != null) {
            line.add("error.type", error.getClassName(), MAX_NAME)
                    .add("error.message", String.valueOf(error.getMessage()), MAX_REASON)
                    .add("error.stack", ThrowableProxyUtil.asString(error), MAX_STACK);
        }
    }
}
