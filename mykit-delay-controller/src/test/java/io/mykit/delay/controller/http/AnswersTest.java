package io.mykit.delay.controller.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final int LIMIT = 10_000;

    private final List<String> takenBack = new ArrayList<>();
    private final BodyBudget unread = new BodyBudget(LIMIT);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Answers answers =
            new Answers(unread, new RequestMetrics(meters, why -> {}), new RequestLog("off", meters), () -> false);

    @Test
    void anAnswerThatCanBeTakenBackIsRefusedWhileTooManyAreUnread() {
        assertThat(answers.count(messages("first"), false).status()).isEqualTo(200);

        assertThat(answers.count(messages("second"), false).status()).isEqualTo(429);

        assertThat(takenBack).containsExactly("second");
    }

    @Test
    void anAnswerAloneIsNeverTooLarge() {
        Reply reply = answers.count(messages("x".repeat(2 * LIMIT)), false);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(takenBack).isEmpty();
    }

    @Test
    void theAnswerToAChangeIsNeverRefused() {
        answers.count(messages("first"), false);
        Reply changed = Envelope.success("x".repeat(LIMIT));
        assertThat(answers.count(changed, false)).isSameAs(changed);
    }

    private Reply messages(String text) {
        return Envelope.success(text + " ".repeat(LIMIT)).ifUnsent(() -> takenBack.add(text));
    }
}
