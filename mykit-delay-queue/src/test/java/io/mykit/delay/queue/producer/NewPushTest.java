package io.mykit.delay.queue.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.common.message.RetryLimits;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of a push, without any protocol. */
class NewPushTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final UnaryOperator<DelayMessage> UNTRACED = UnaryOperator.identity();

    private final PushRules rules = new PushRules(
            () -> "made",
            InstantSource.fixed(Instant.ofEpochMilli(NOW)),
            message -> message.extras().headers().containsKey("unwanted")
                    ? Optional.of(FieldRules.invalid("no headers here"))
                    : Optional.empty());

    /** A delay must not end early; what is due now must be due by every clock. */
    @Test
    void nowIsTheEarliestTimeAndADelayBeginsAtTheLatest() {
        PushRules apart = new PushRules(
                () -> "made",
                InstantSource.fixed(Instant.ofEpochMilli(NOW)),
                InstantSource.fixed(Instant.ofEpochMilli(NOW - 7)),
                message -> Optional.empty(),
                Namespaces.NONE);
        assertThat(apart.check(new NewPush().topic("t"), UNTRACED).message().dueTimeMs())
                .isEqualTo(NOW - 7);
        assertThat(apart.check(new NewPush().topic("t").delay(0), UNTRACED)
                        .message()
                        .createTimeMs())
                .isEqualTo(NOW - 7);
        assertThat(apart.check(new NewPush().topic("t").delay(5), UNTRACED)
                        .message()
                        .dueTimeMs())
                .isEqualTo(NOW + 5);
        assertThat(apart.check(new NewPush().topic("t").createTime(NOW), UNTRACED)
                        .message()
                        .dueTimeMs())
                .isEqualTo(NOW);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                refusal("id is longer than 128 characters", push -> push.id("x".repeat(129))),
                refusal("id begins or ends with white space", push -> push.id(" a")),
                refusal("topic contains a control character", push -> push.topic("a\nb")),
                refusal("subtopic is longer than 250 characters", push -> push.subtopic("x".repeat(251))),
                refusal("bizKey contains an unpaired surrogate", push -> push.bizKey("\ud800")),
                refusal("body contains an unpaired surrogate", push -> push.body("\udc00")),
                refusal("bodyBase64 must be Base64 (RFC 4648, section 4)", push -> push.bodyBase64("?")),
                refusal("delay must not be negative", push -> push.delay(-1)),
                refusal(
                        "delay must not be greater than " + MessageLimits.MAX_DUE_TIME_MS,
                        push -> push.delay(MessageLimits.MAX_DUE_TIME_MS + 1)),
                refusal("looks like seconds", push -> push.triggerAt(1_700_000_000)),
                refusal("createTime must be epoch milliseconds", push -> push.createTime(0)),
                refusal("ttl must not be greater than 2147483647", push -> push.ttl(1L << 31)),
                refusal("priority must not be greater than 9", push -> push.priority(10)),
                refusal("idempotencyKey must be 1 to 64", push -> push.idempotencyKey("a b")),
                refusal("ttr must be from 1s to 1d", push -> push.ttr(999)),
                refusal("headers.Mykit-Delay-Id is reserved", push -> push.header("Mykit-Delay-Id", "a")),
                refusal("a name in headers is empty", push -> push.header("", "c")),
                refusal("a name in headers begins or ends with white space", push -> push.header("a ", "c")),
                refusal("a name in headers contains a control character", push -> push.header("a\u0001b", "c")),
                refusal("a name in headers is longer than 128 characters", push -> push.header("x".repeat(129), "c")),
                refusal("headers.a contains an unpaired surrogate", push -> push.header("a", "\ud800")),
                refusal("headers.a is given twice", push -> push.header("a", "b")
                        .header("a", "c")),
                refusal("headers has more than 128 entries", push -> fill(129, i -> push.header("h" + i, ""))),
                refusal("headers is longer than 16384 bytes", push -> push.header("a", "\u4e2d".repeat(5461) + "x")),
                refusal("target has more than 16 entries", push -> fill(17, i -> push.target("t" + i, ""))),
                refusal("target.a is longer than 2048 characters", push -> push.target("a", "x".repeat(2049))),
                refusal("retry.gaps is empty", push -> push.retry(gaps(List.of()))),
                refusal("retry.gaps has more than 64 entries", push -> push.retry(gaps(Collections.nCopies(65, 1L)))),
                refusal(
                        "retry.gaps[1] must be from",
                        push -> push.retry(gaps(List.of(1L, RetryLimits.MAX_GAP_MS + 1)))),
                refusal(
                        "retry.gaps excludes interval",
                        push -> push.retry(new RetryOptions(1, 1L, null, null, List.of(1L), null))),
                refusal(
                        "retry.maxInterval must not be less than retry.interval",
                        push -> push.retry(new RetryOptions(1, 2L, null, 1L, null, null))),
                refusal(
                        "retry.maxAttempts must not be greater than 10000",
                        push -> push.retry(new RetryOptions(10_001, null, null, null, null, null))),
                refusal(
                        "retry.multiplier must be a number from 1 to 10",
                        push -> push.retry(new RetryOptions(null, null, 0.5, null, null, null))),
                refusal(
                        "retry.jitter must be a number from 0 to 1",
                        push -> push.retry(new RetryOptions(null, null, null, null, null, Double.NaN))));
    }

    @ParameterizedTest
    @MethodSource
    void refused(String why, Consumer<NewPush> field) {
        NewPush push = new NewPush();
        assertThatThrownBy(() -> field.accept(push))
                .isInstanceOfSatisfying(DelayException.class, refused -> assertThat(refused.code())
                        .isEqualTo(ErrorCode.INVALID_REQUEST))
                .hasMessageContaining(why);
    }

    @Test
    void aTopicMakesAMessage() {
        CheckedPush checked = rules.check(new NewPush().topic("t"), UNTRACED);
        assertThat(checked.message())
                .isEqualTo(MessageBuilder.withId("made").created(NOW).build());
        assertThat(checked.replace()).isFalse();
    }

    @Test
    void theDueTimeIsGivenInOneWay() {
        assertThat(rules.check(new NewPush().topic("t").createTime(NOW - 5).delay(7), UNTRACED)
                        .message()
                        .dueTimeMs())
                .isEqualTo(NOW + 2);
        DelayMessage at = rules.check(new NewPush().topic("t").triggerAt(NOW + 9), UNTRACED)
                .message();
        assertThat(at.dueTimeMs()).isEqualTo(NOW + 9);
        assertThat(at.delayMs()).isEqualTo(9);
        refuses(new NewPush().topic("t").delay(1).triggerAt(NOW), "delay and triggerAt exclude each other");
        refuses(
                new NewPush().topic("t").delay(MessageLimits.MAX_DUE_TIME_MS),
                "createTime + delay must not be greater than " + MessageLimits.MAX_DUE_TIME_MS);
    }

    @Test
    void fieldsThatNeedOrExcludeEachOther() {
        refuses(new NewPush(), "topic is required");
        refuses(new NewPush().topic("t").body("").bodyBase64("AA=="), "body and bodyBase64 exclude each other");
        refuses(new NewPush().topic("t").id("i").idempotencyKey("k"), "idempotencyKey needs replace and id");
        refuses(new NewPush().topic("t").header("unwanted", ""), "no headers here");
    }

    @Test
    void headersKeepTheirNames() {
        Map<String, String> headers = Map.of("userId", "1", "userid", "2", "Host", "3", "a b:c", "4\n", "\u4e2d", "");
        NewPush push = new NewPush().topic("t");
        headers.forEach(push::header);
        assertThat(rules.check(push, UNTRACED).message().extras().headers()).isEqualTo(headers);
        new NewPush().header("x".repeat(128), "\u4e2d".repeat(5418));
    }

    @Test
    void aTraceThatTheChannelDoesNotTakeIsLeftOut() {
        UnaryOperator<DelayMessage> traced =
                message -> message.withExtras(message.extras().withHeaders(Map.of("unwanted", "")));
        assertThat(rules.check(new NewPush().topic("t"), traced)
                        .message()
                        .extras()
                        .headers())
                .isEmpty();
    }

    /** It comes from proxies, so an unusable one refuses nothing. */
    @Test
    void anUnusableIdOfTheRequestIsLeftOut() {
        for (String usable : List.of("r", "Root=1-67891233-abcdef", "~!\"\\{}", "x".repeat(128))) {
            assertThat(requested(usable).requestId()).isEqualTo(usable);
        }
        for (String unusable : List.of("", " ", "a b", "a\t", "\u00e9", "\u4e2d", "x".repeat(129))) {
            assertThat(requested(unusable)).as(unusable).isSameAs(MessageExtras.NONE);
        }
        assertThat(requested(null)).isSameAs(MessageExtras.NONE);
    }

    private MessageExtras requested(String id) {
        return rules.check(new NewPush().topic("t").requestId(id), UNTRACED)
                .message()
                .extras();
    }

    @Test
    void bytesAreTheSameAsTheirBase64() {
        byte[] bytes = {0, -1, 127};
        NewPush push = new NewPush().topic("t").body(bytes);
        DelayMessage message = rules.check(push, UNTRACED).message();
        assertThat(message.extras().binary()).isTrue();
        assertThat(message.bodyBytes()).isEqualTo(bytes);
        assertThat(message.body())
                .isEqualTo(rules.check(new NewPush().topic("t").bodyBase64("AP9/"), UNTRACED)
                        .message()
                        .body());
        assertThatThrownBy(() -> rules.check(push.body("text"), UNTRACED))
                .hasMessageContaining("body and bodyBase64 exclude each other");
    }

    @Test
    void aBatchBoundsEachBody() {
        new NewPush().body("\u4e2d".repeat(3)).limitBody(9);
        new NewPush().bodyBase64("AAAA").limitBody(3);
        new NewPush().limitBody(0);
        assertThatThrownBy(() -> new NewPush().body("\u4e2d".repeat(3)).limitBody(8))
                .hasMessage("body is larger than 8 bytes");
        assertThatThrownBy(() -> new NewPush().bodyBase64("AAAA").limitBody(2))
                .hasMessage("body is larger than 2 bytes");
    }

    private void refuses(NewPush push, String why) {
        assertThatThrownBy(() -> rules.check(push, UNTRACED))
                .isInstanceOf(DelayException.class)
                .hasMessageContaining(why);
    }

    private static RetryOptions gaps(List<Long> gapsMs) {
        return new RetryOptions(null, null, null, null, gapsMs, null);
    }

    private static void fill(int count, Consumer<Integer> entry) {
        for (int i = 0; i < count; i++) {
            entry.accept(i);
        }
    }

    private static Arguments refusal(String why, Consumer<NewPush> field) {
        return Arguments.of(why, field);
    }
}
