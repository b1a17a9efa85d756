package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DELAY_MS;
import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static io.mykit.delay.test.fault.invariant.History.SENT_MS;
import static io.mykit.delay.test.fault.invariant.History.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.history.Version;
import java.util.List;
import org.junit.jupiter.api.Test;

class NoLossTest {
    private static final Cancel CANCELLED = new Cancel(Answered.CANCELLED, DUE_MS - 12, DUE_MS - 10);

    private final History history = new History();

    @Test
    void deliveredCancelledScheduledAndNeverTakenAreKept() {
        history.acknowledged("delivered").row("delivered", MessageStatus.FINISH).arrived("delivered", DUE_MS);
        history.acknowledged("cancelled", CANCELLED).row("cancelled", MessageStatus.DELETE);
        history.sleeper("sleeps").row("sleeps", MessageStatus.DELAY, 0, SENT_MS + Version.SLEEP_MS);
        history.unanswered("refused");
        assertThat(new NoLoss().check(history.run())).isEmpty();
    }

    @Test
    void anAcknowledgedMessageWithoutARow() {
        violated(history.acknowledged("m"), "m: acknowledged, and has no row");
    }

    @Test
    void finishedAndNeverArrivedAlsoIfNobodyWasAnswered() {
        violated(history.acknowledged("m").row("m", MessageStatus.FINISH), "m: FINISH, and never arrived");
        violated(new History().unanswered("u").row("u", MessageStatus.FINISH), "u: FINISH, and never arrived");
    }

    @Test
    void leftOver() {
        violated(history.acknowledged("m").row("m", MessageStatus.READY), "m: left over as READY");
    }

    @Test
    void deletedByNobody() {
        violated(history.acknowledged("m").row("m", MessageStatus.DELETE), "m: DELETE, and nobody cancelled it");
    }

    @Test
    void givenUp() {
        violated(history.acknowledged("m").row("m", MessageStatus.FAILED), "m: given up as FAILED");
    }

    @Test
    void whatArrivedIsNotWhatTheRowSays() {
        history.acknowledged("body").row("body", MessageStatus.FINISH).arrived("body", 1, DUE_MS, DUE_MS);
        history.acknowledged("time").row("time", MessageStatus.FINISH).arrived("time", 0, DUE_MS + 1, DUE_MS + 1);
        assertThat(new NoLoss().check(history.run()))
                .containsExactlyInAnyOrder("body: FINISH, and never arrived", "time: FINISH, and never arrived");
    }

    @Test
    void aReplacementThatCameAfterTheCancelIsNotDeletedByIt() {
        Version first = version(0, DELAY_MS, SENT_MS).acknowledged(SENT_MS);
        Version next = version(1, DELAY_MS, DUE_MS).acknowledged(DUE_MS + 1);
        history.pushed("m", List.of(first, next), CANCELLED).row("m", MessageStatus.DELETE, 1, DUE_MS + DELAY_MS);
        violated(history, "m: DELETE, and nobody cancelled what it was replaced by");
        Cancel unknown = new Cancel(Answered.NOTHING_KNOWN, DUE_MS - 12, DUE_MS - 10);
        history.pushed("m", List.of(first, next), unknown);
        assertThat(new NoLoss().check(history.run())).isEmpty();
    }

    @Test
    void expiredOnlyWhileTheBrokerOrEverythingWasAway() {
        history.acknowledged("m").row("m", MessageStatus.EXPIRED, 0, DUE_MS, 13);
        violated(history, "m: EXPIRED, and could have been delivered from " + DUE_MS + " to " + (DUE_MS + 13_000));
        history.fault("freeze-redis", DUE_MS, DUE_MS + 7_000, 999);
        violated(history, "m: EXPIRED, and could have been delivered from " + DUE_MS + " to " + (DUE_MS + 13_000));
        history.fault("kill-zookeeper-majority", DUE_MS + 1_000, DUE_MS + 7_000, 1_001);
        assertThat(new NoLoss().check(history.run())).isEmpty();
        history.windows.clear();
        history.fault("cut-broker+kill-redis", DUE_MS + 1_000, DUE_MS + 2_000, 1);
        assertThat(new NoLoss().check(history.run())).isEmpty();
    }

    /** The answer came when the ttl was nearly over: the message may be late by more than the rest of it. */
    @Test
    void aTtlThatEndsSoonAfterTheAnswerPromisesNothing() {
        Version late = new Version(1, "body 1", 0, DUE_MS, 10, DUE_MS + 1_000, DUE_MS + 6_000, false);
        history.pushed("m", List.of(late)).row("m", MessageStatus.EXPIRED, 0, DUE_MS, 10);
        assertThat(new NoLoss().check(history.run())).isEmpty();
        Version soon = new Version(1, "body 1", 0, DUE_MS, 10, DUE_MS + 1_000, DUE_MS + 1_100, false);
        violated(
                history.pushed("m", List.of(soon)),
                "m: EXPIRED, and could have been delivered from " + (DUE_MS + 1_000) + " to " + (DUE_MS + 10_000));
    }

    /** The strays of a bucket are looked for every ten seconds. */
    @Test
    void expiredWhileALostKeyOfRedisWasRepaired() {
        history.acknowledged("m").row("m", MessageStatus.EXPIRED, 0, DUE_MS, 6);
        history.fault("delete-heads", DUE_MS - 400, DUE_MS - 393, 78);
        assertThat(new NoLoss().check(history.run())).isEmpty();
        history.acknowledged("m").row("m", MessageStatus.EXPIRED, 0, DUE_MS, 16);
        violated(history, "m: EXPIRED, and could have been delivered from " + DUE_MS + " to " + (DUE_MS + 16_000));
    }

    /** It took the message out of Redis and set a veto, which lasts for 20 s. */
    @Test
    void expiredBehindACancelThatWasCut() {
        history.acknowledged("m").row("m", MessageStatus.EXPIRED, 0, DUE_MS, 18);
        history.fault("kill-mysql+kill-redis", DUE_MS - 1_000, DUE_MS + 6_000, 47);
        violated(history, "m: EXPIRED, and could have been delivered from " + DUE_MS + " to " + (DUE_MS + 18_000));
        history.acknowledged("m", new Cancel(Answered.REFUSED, DUE_MS, DUE_MS + 10));
        assertThat(new NoLoss().check(history.run())).isEmpty();
    }

    /** Each refused probe doubles the pause of its circuit. */
    @Test
    void expiredInThePauseOfACircuitThatIsAsLongAsTheFault() {
        history.callback("m", new Callback(false, 422, 3, History.GAPS_MS));
        history.acknowledged("m").row("m", MessageStatus.EXPIRED, 0, DUE_MS, 13);
        history.fault("kill-receiver+rebuild-sentinels", DUE_MS - 26_000, DUE_MS - 4_000, 27);
        assertThat(new NoLoss().check(history.run())).isEmpty();
        history.windows.clear();
        history.fault("kill-receiver", DUE_MS - 8_000, DUE_MS - 4_000, 27);
        violated(history, "m: EXPIRED, and could have been delivered from " + DUE_MS + " to " + (DUE_MS + 13_000));
    }

    @Test
    void aReceiversFaultExpiresNoMessageOfTheBroker() {
        history.acknowledged("m").row("m", MessageStatus.EXPIRED, 0, DUE_MS, 5);
        history.fault("kill-receiver", DUE_MS, DUE_MS + 7_000, 1);
        violated(history, "m: EXPIRED, and could have been delivered from " + DUE_MS + " to " + (DUE_MS + 5_000));
    }

    @Test
    void withoutATtlNothingExpires() {
        history.acknowledged("m").row("m", MessageStatus.EXPIRED).fault("cut-broker", DUE_MS, DUE_MS + 2_000, 1);
        violated(history, "m: EXPIRED, and could have been delivered from " + DUE_MS + " to " + DUE_MS);
    }

    @Test
    void aTtlThatWasOverBeforeThePushEndsAtOnceUntilAnOperatorRestoresIt() {
        history.acknowledged("m").row("m", MessageStatus.EXPIRED, 0, SENT_MS - 60_000, 10);
        assertThat(new NoLoss().check(history.run())).isEmpty();
        violated(history.restored("m", DUE_MS), "m: EXPIRED, and restored before");
    }

    /** The row had its new due time, and the auditor may find it after the ttl. */
    @Test
    void aRestoreThatWasCutMayEndInAnExpiry() {
        history.acknowledged("m").row("m", MessageStatus.EXPIRED, 0, DUE_MS, 20);
        history.fault("kill-mysql", DUE_MS, DUE_MS + 6_000, 1);
        violated(history, "m: EXPIRED, and could have been delivered from " + DUE_MS + " to " + (DUE_MS + 20_000));
        assertThat(new NoLoss().check(history.restoreInDoubt("m", DUE_MS).run()))
                .isEmpty();
    }

    @Test
    void callbackThatIsNeverAcceptedIsADeadLetter() {
        history.callback("m", new Callback(true, 500, 3, History.GAPS_MS));
        history.called("m", 1, DUE_MS, 500).failed("m", 3, DUE_MS + 3_000);
        assertThat(new NoLoss().check(history.run())).isEmpty();
        violated(history.failed("m", 2, DUE_MS + 3_000), "m: FAILED after 2 of 3 attempts");
        history.called("m", 2, DUE_MS + 1_000, Callback.GONE);
        assertThat(new NoLoss().check(history.run())).isEmpty();
    }

    @Test
    void callbackOfAReceiverThatWasWellIsNoDeadLetter() {
        history.callback("m").failed("m", 3, DUE_MS + 3_000);
        history.fault("kill-receiver", DUE_MS, DUE_MS + 1_000, 0);
        violated(history, "m: FAILED, and its receiver was well: []");
        history.callback("m", new Callback(false, 422, 0, History.GAPS_MS));
        assertThat(new NoLoss().check(history.run())).isEmpty();
    }

    @Test
    void callbackMayExpireBetweenTwoAttempts() {
        Version version = new Version(0, "body 0", 500, 0, 10, SENT_MS, SENT_MS, false);
        history.callback("m").pushed("m", List.of(version)).row("m", MessageStatus.EXPIRED, 0, DUE_MS, 10);
        violated(history, "m: EXPIRED, and could have been delivered from " + DUE_MS + " to " + (DUE_MS + 10_000));
        history.called("m", 1, DUE_MS, 500);
        assertThat(new NoLoss().check(history.run())).isEmpty();
    }

    @Test
    void arrivedOutOfNothing() {
        violated(history.unanswered("m").arrived("m", DUE_MS), "m: arrived, and has no row");
        violated(new History().arrived("x", DUE_MS), "x: arrived, and nobody pushed it");
        violated(new History().row("x", MessageStatus.DELAY), "x: has a row, and nobody pushed it");
    }

    private static void violated(History history, String violation) {
        assertThat(new NoLoss().check(history.run())).containsExactly(violation);
    }
}
