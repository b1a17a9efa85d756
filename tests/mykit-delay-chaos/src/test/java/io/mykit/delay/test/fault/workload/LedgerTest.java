package io.mykit.delay.test.fault.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Version;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final Order NAMED = new Order("m", "t", 500);
    private static final Order UNNAMED = NAMED.named("");

    private final Ledger ledger = new Ledger();

    @Test
    void theFirstRequestOfAVersionCounts() {
        ledger.sending(NAMED, 10);
        ledger.sending(NAMED.again(1), 20);
        ledger.sending(NAMED, 30);
        ledger.acknowledged(NAMED.again(1), 40);
        ledger.acknowledged(NAMED.again(1), 50);
        assertThat(ledger.of("m").versions()).extracting(Version::sentMs).containsExactly(10L, 20L);
        assertThat(ledger.of("m").versions())
                .extracting(Version::acknowledgedMs)
                .containsExactly(-1L, 40L);
    }

    @Test
    void theServersIdNamesTheMessage() {
        ledger.sending(UNNAMED, 10);
        ledger.named(UNNAMED, "x");
        ledger.acknowledged(UNNAMED.named("x"), 20);
        assertThat(ledger.of("x").first().sentMs()).isEqualTo(10);
        assertThat(ledger.isAcknowledged("x")).isTrue();
    }

    @Test
    void eachLostAnswerExplainsOneRowOfItsBody() {
        ledger.sending(UNNAMED, 10);
        assertThat(ledger.pushed(List.of(row("x")))).isEmpty();
        ledger.doubted(UNNAMED);
        assertThat(ledger.pushed(List.of(row("x"), row("y")))).hasSize(1);
        ledger.doubted(UNNAMED);
        assertThat(ledger.pushed(List.of(row("x"), row("y")))).containsOnlyKeys("x", "y");
    }

    private static Row row(String id) {
        return new Row(id, "t", MessageStatus.DELAY, 0, 0, 510, 0, UNNAMED.body());
    }
}
