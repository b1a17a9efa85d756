package io.mykit.delay.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

class OutageLogTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final Lines lines = new Lines();
    private final OutageLog outage = new OutageLog(lines, "The part is away", "The part is back", nanos::get);

    @Test
    void saysNothingWhileAllIsWell() {
        outage.succeeded();
        assertThat(lines.printed).isEmpty();
    }

    @Test
    void aLineAtTheChangeOneAMinuteAndOneAtTheEnd() {
        for (int second = 0; second < 150; second++) {
            outage.failed("refused");
            pass(1);
        }
        outage.succeeded();
        outage.succeeded();
        assertThat(lines.printed)
                .containsExactly(
                        "WARN The part is away: refused",
                        "WARN The part is away for 60 s (61 failures): refused",
                        "WARN The part is away for 120 s (121 failures): refused",
                        "INFO The part is back after 150 s (150 failures)");
    }

    @Test
    void theStackTraceIsThereOnceForEachClassOfFailure() {
        for (int second = 0; second < 70; second++) {
            outage.failed("refused", new IOException("refused"));
            outage.failed("silent", new IllegalStateException("silent"));
            pass(1);
        }
        outage.succeeded();
        pass(30);
        outage.failed("refused", new IOException("refused"));
        assertThat(lines.printed)
                .containsExactly(
                        "WARN The part is away: refused + IOException",
                        "WARN The part is away for 0 s (2 failures): silent + IllegalStateException",
                        "WARN The part is away for 60 s (121 failures): refused",
                        "INFO The part is back after 70 s (140 failures)",
                        "WARN The part is away: refused");
    }

    @Test
    void severalClassesOfFailuresAreBoundedToo() {
        for (Throwable failure : List.of(
                new IOException(),
                new IllegalStateException(),
                new IllegalArgumentException(),
                new NullPointerException(),
                new ArithmeticException(),
                new UnsupportedOperationException(),
                new StackOverflowError())) {
            outage.failed("defect", failure);
        }
        assertThat(lines.printed).hasSize(5);
        pass(601);
        outage.failed("defect", new StackOverflowError());
        assertThat(lines.printed).hasSize(6).last().asString().endsWith("StackOverflowError");
    }

    @Test
    void whatComesAndGoesIsToldEveryTenSecondsAtMost() {
        for (int second = 0; second < 60; second++) {
            outage.failed("refused");
            outage.succeeded();
            pass(1);
        }
        assertThat(lines.printed).hasSize(12);
        outage.failed("refused");
        assertThat(lines.printed).hasSize(13);
    }

    @Test
    void aSecondOutageThatLastsIsToldLate() {
        outage.failed("refused");
        pass(1);
        outage.succeeded();
        pass(1);
        for (int second = 0; second < 9; second++) {
            outage.failed("refused");
            pass(1);
        }
        assertThat(lines.printed)
                .containsExactly(
                        "WARN The part is away: refused",
                        "INFO The part is back after 1 s (1 failures)",
                        "WARN The part is away for 8 s (9 failures): refused");
    }

    @Test
    void aFailureThatNothingFollowsIsForgotten() {
        outage.failed("refused");
        assertThat(outage.isFailing()).isTrue();
        pass(3600);
        assertThat(outage.isFailing()).isFalse();
        outage.failed("refused");
        outage.succeeded();
        assertThat(lines.printed)
                .containsExactly(
                        "WARN The part is away: refused",
                        "WARN The part is away: refused",
                        "INFO The part is back after 0 s (1 failures)");
    }

    private void pass(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private static final class Lines extends LegacyAbstractLogger implements Logger {
        private static final long serialVersionUID = 1L;

        private final transient List<String> printed = new ArrayList<>();

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level, Marker marker, String pattern, Object[] arguments, Throwable thrown) {
            String text = MessageFormatter.basicArrayFormat(pattern, arguments);
            printed.add(level + " " + text
                    + (thrown == null ? "" : " + " + thrown.getClass().getSimpleName()));
        }
    }
}
