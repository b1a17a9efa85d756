package io.mykit.delay.core;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class HostNameTest {
    @Test
    void aNameThatCannotBeResolvedIsOneLineOfTheLog() {
        Logger log = (Logger) LoggerFactory.getLogger(HostName.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try {
            assertThat(HostName.get(() -> {
                        throw new UnknownHostException("vm: Name or service not known");
                    }))
                    .isEqualTo("localhost");
        } finally {
            log.detachAppender(lines);
        }
        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).contains("vm: Name or service not known", "/etc/hosts");
            assertThat(line.getThrowableProxy()).isNull();
        });
    }
}
