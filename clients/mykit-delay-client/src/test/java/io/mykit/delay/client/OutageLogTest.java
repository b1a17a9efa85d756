package io.mykit.delay.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutageLogTest {
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger("io.mykit.delay.client");
    private final OutageLog log = new OutageLog(List.of("orders", "parcels"));
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            records.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void close() {
        logger.setUseParentHandlers(true);
        logger.removeHandler(handler);
    }

    @Test
    void anOutageHasTwoLines() {
        log.pullFailed(unavailable("http://a: refused (4 tries)"));
        log.pullFailed(unavailable("http://b: refused (5 tries)"));
        log.pullRecovered();
        log.pullFailed(unavailable("http://a: no answer in time"));

        assertThat(lines())
                .containsExactly(
                        "WARNING The consumer of orders, parcels gets no messages and tries again: http://a: refused (4 tries)",
                        "INFO The consumer of orders, parcels is answered again",
                        "WARNING The consumer of orders, parcels gets no messages and tries again: http://a: no answer in time");
        assertThat(records).allSatisfy(line -> assertThat(line.getThrown()).isNull());
    }

    @Test
    void anotherReasonIsLogged() {
        log.pullFailed(unavailable("http://a: refused (4 tries)"));
        log.pullFailed(new DelayRequestException(409, "NOT_PULLABLE", "orders has the channel rocketmq", false));
        log.pullFailed(new DelayRequestException(409, "NOT_PULLABLE", "orders has the channel rocketmq", false));
        log.pullFailed(new DelayRequestException(401, "UNAUTHORIZED", "a token is required", false));

        assertThat(lines()).hasSize(3);
        assertThat(lines().get(1)).endsWith("tries again: HTTP 409 NOT_PULLABLE: orders has the channel rocketmq");
    }

    @Test
    void aDefectShowsItsPlace() {
        IllegalStateException defect = new IllegalStateException();
        log.pullFailed(defect);

        assertThat(records.get(0).getThrown()).isSameAs(defect);
    }

    private static DelayUnavailableException unavailable(String reason) {
        return new DelayUnavailableException(reason, null, false);
    }

    private List<String> lines() {
        return records.stream()
                .map(line -> line.getLevel() + " " + line.getMessage())
                .toList();
    }
}
