package io.mykit.delay.channel.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.MessageBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleChannelTest {
    private final DelayMessage message = MessageBuilder.withId("20")
            .topic("ces")
            .subtopic("sub")
            .bizKey("biz")
            .body("a\tb\nc\\d\u001b[31m😀")
            .delay(0)
            .due(1_700_000_000_123L)
            .build();

    @Test
    void printsOneLinePerMessage() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, false, UTF_8)) {
            List<Delivery> fates = new ConsoleChannel(out).deliver("ces", List.of(message, message));

            String line = "20\tces\t2023-11-14T22:13:20.123Z\ta\\tb\\nc\\\\d\\u001b[31m😀\n";
            assertThat(printed.toString(UTF_8)).isEqualTo(line + line);
            assertThat(fates).containsExactly(Delivery.DELIVERED, Delivery.DELIVERED);
        }
    }

    @Test
    void whatCannotBePrintedIsUnavailable() {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        try (PrintStream out = new PrintStream(broken, true, UTF_8)) {
            assertThat(new ConsoleChannel(out).deliver("ces", List.of(message)))
                    .extracting(Delivery::kind)
                    .containsExactly(Delivery.Kind.UNAVAILABLE);
        }
    }
}
