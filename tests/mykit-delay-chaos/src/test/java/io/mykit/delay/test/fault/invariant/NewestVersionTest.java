package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DELAY_MS;
import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static io.mykit.delay.test.fault.invariant.History.SENT_MS;
import static io.mykit.delay.test.fault.invariant.History.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Version;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewestVersionTest {
    private static final Version FIRST = version(0, DELAY_MS, SENT_MS).acknowledged(SENT_MS + 1);
    private static final Version NEXT = version(1, DELAY_MS, SENT_MS + 100).acknowledged(SENT_MS + 110);
    private static final long NEXT_DUE_MS = SENT_MS + 100 + DELAY_MS;

    private final History history = new History();

    @Test
    void theLastAcknowledgedArrives() {
        history.versions("m", FIRST, NEXT).row("m", MessageStatus.FINISH, 1, NEXT_DUE_MS);
        history.arrived("m", 1, NEXT_DUE_MS, NEXT_DUE_MS + 3);
        kept();
    }

    @Test
    void anOlderBody() {
        history.versions("m", FIRST, NEXT).arrived("m", DUE_MS);
        violated("m: version 0 arrived 390 ms after version 1 was acknowledged");
    }

    @Test
    void anOlderBodyAlsoInAFault() {
        history.versions("m", FIRST, NEXT).arrived("m", DUE_MS).fault(SENT_MS, DUE_MS + 100);
        violated("m: version 0 arrived 390 ms after version 1 was acknowledged");
    }

    @Test
    void aDeliveredMessageMayBeginAgain() {
        history.versions("m", FIRST, NEXT).arrived("m", 0, SENT_MS + DELAY_MS, SENT_MS + 90);
        kept();
    }

    /** The broker had it before the next version was accepted, and took its time to the consumer. */
    @Test
    void aDeliveredMessageMayArriveAfterItsNextVersionWasAccepted() {
        history.versions("m", FIRST, NEXT).arrived("m", SENT_MS + 150);
        violated("m: version 0 arrived 40 ms after version 1 was acknowledged");
        history.begunAgain.put("m", List.of(SENT_MS + 108));
        kept();
        history.begunAgain.put("m", List.of(SENT_MS + 108 + 60));
        violated("m: version 0 arrived 40 ms after version 1 was acknowledged");
    }

    @Test
    void theOldDueTimeOfTheSameBody() {
        Version again = new Version(1, FIRST.body(), DELAY_MS, 0, 0, SENT_MS + 100, SENT_MS + 110, false);
        history.versions("m", FIRST, again).arrived("m", DUE_MS);
        violated("m: version 0 arrived 390 ms after version 1 was acknowledged");
        history.seen.clear();
        history.arrived("m", 0, NEXT_DUE_MS, NEXT_DUE_MS);
        kept();
    }

    @Test
    void ofTwoAtOnceEitherMayWin() {
        Version rival = version(2, DELAY_MS, SENT_MS + 105).acknowledged(SENT_MS + 120);
        history.versions("m", FIRST, NEXT, rival).arrived("m", 1, NEXT_DUE_MS, NEXT_DUE_MS);
        kept();
    }

    @Test
    void oneInDoubtMayComeLater() {
        Version later = version(2, DELAY_MS, SENT_MS + 200).acknowledged(SENT_MS + 210);
        history.versions("m", FIRST, NEXT.doubted(), later).arrived("m", 1, NEXT_DUE_MS, NEXT_DUE_MS);
        kept();
    }

    @Test
    void oneThatWasRefused() {
        history.versions("m", FIRST, version(1, DELAY_MS, SENT_MS + 100)).arrived("m", 1, NEXT_DUE_MS, NEXT_DUE_MS);
        violated("m: version 1 arrived at " + NEXT_DUE_MS + ", due at " + NEXT_DUE_MS + ", and was refused: []");
    }

    @Test
    void anOlderRow() {
        history.versions("m", FIRST, NEXT).row("m", MessageStatus.DELAY);
        violated("m: version 0 is in its row, and version 1 was acknowledged");
    }

    @Test
    void aBodyThatNobodyPushed() {
        history.versions("m", FIRST).arrived("m", 7, DUE_MS, DUE_MS);
        violated("m: arrived with a body that nobody pushed: body 7");
    }

    private void kept() {
        assertThat(new NewestVersion().check(history.run())).isEmpty();
    }

    private void violated(String violation) {
        assertThat(new NewestVersion().check(history.run())).containsExactly(violation);
    }
}
