package io.mykit.delay.controller.push;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.fail;

import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.producer.PushRules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The parser makes a message of any bytes, or refuses them with a reason. */
class PushFuzzTest {
    private static final long SEED = 20261120;
    private static final int ROUNDS = 30_000;
    private static final Set<ErrorCode> ALLOWED = EnumSet.of(ErrorCode.INVALID_REQUEST, ErrorCode.TOO_LARGE);
    private static final Pattern INTERNALS =
            Pattern.compile("[Jj]ackson|Source|Feature|Exception|`|REDACTED|com\\.|java\\.|[Pp]arser");
    private static final String TOKENS = "{}[]:,\"\\/0123456789-+.eEtrufalsn \n\t'\u0000\u00e9\uD83D\uDE00";
    private static final List<String> VALID = List.of(
            "{\"body\":\"{hello world}\",\"delay\":10000,\"id\":\"20\",\"status\":0,\"topic\":\"ces\",\"subtopic\":\"\",ttl:12}",
            "{\"topic\":\"t\",\"body\":{\"a\":[1,2.5e3,{\"b\":null}],\"c\":\"\\u00e9\\ud83d\\ude00\"},\"priority\":9,\"id\":20,\"replace\":true}",
            "{\"id\":\"i\",\"topic\":\"t\",\"bizKey\":\"kéy\",\"triggerAt\":1700000000500,\"createTime\":\"1700000000000\",\"buckedName\":\"b\"}");

    private final PushParser parser = new PushParser(
            new PushRules(() -> "g", InstantSource.fixed(Instant.ofEpochMilli(1)), message -> Optional.empty()),
            Duration.ofMinutes(1));

    @Test
    void aPushIsAMessageOrARefusal() {
        Random random = new Random(SEED);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = VALID.get(random.nextInt(VALID.size())).getBytes(UTF_8);
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes = mutate(bytes, random);
            }
            refused += refuses(bytes) ? 1 : 0;
        }
        assertThat(refused).isBetween(ROUNDS / 2, ROUNDS - 100);
    }

    @Test
    void everyPrefixIsRefused() {
        for (String valid : VALID) {
            byte[] bytes = valid.getBytes(UTF_8);
            assertThatCode(() -> parser.parse(bytes, RequestTrace.NONE, null)).doesNotThrowAnyException();
            for (int length = 0; length < bytes.length; length++) {
                assertThat(refuses(Arrays.copyOf(bytes, length)))
                        .as("%d of %s", length, valid)
                        .isTrue();
            }
        }
    }

    private boolean refuses(byte[] bytes) {
        try {
            assertThat(parser.parse(bytes, RequestTrace.NONE, null).message().topic())
                    .isNotEmpty();
            return false;
        } catch (DelayException refusal) {
            if (!ALLOWED.contains(refusal.code()) || tellsInternals(refusal, bytes)) {
                fail("seed " + SEED + ": " + refusal + " for " + new String(bytes, UTF_8));
            }
            return true;
        } catch (RuntimeException | Error defect) {
            return fail("seed " + SEED + ": " + new String(bytes, UTF_8), defect);
        }
    }

    /** The caller's own text may come back. */
    private static boolean tellsInternals(DelayException refusal, byte[] bytes) {
        return INTERNALS.matcher(refusal.getMessage()).results().anyMatch(found -> !new String(bytes, UTF_8)
                .contains(found.group()));
    }

    private static byte[] mutate(byte[] bytes, Random random) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt(256)};
        }
        int at = random.nextInt(bytes.length);
        int end = Math.min(bytes.length, at + 1 + random.nextInt(8));
        byte[] part = Arrays.copyOfRange(bytes, at, end);
        int token = random.nextInt(TOKENS.length());
        return switch (random.nextInt(6)) {
            case 0 -> splice(bytes, at, at + 1, new byte[] {(byte) random.nextInt(256)});
            case 1 ->
                splice(bytes, at, at + 1, TOKENS.substring(token, token + 1).getBytes(UTF_8));
            case 2 -> splice(bytes, at, at, TOKENS.substring(token, token + 1).getBytes(UTF_8));
            case 3 -> splice(bytes, at, end, new byte[0]);
            case 4 -> splice(bytes, at, at, part);
            default -> splice(bytes, random.nextInt(at + 1), at, part);
        };
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] middle) {
        byte[] spliced = Arrays.copyOf(bytes, bytes.length - (to - from) + middle.length);
        System.arraycopy(middle, 0, spliced, from, middle.length);
        System.arraycopy(bytes, to, spliced, from + middle.length, bytes.length - to);
        return spliced;
    }
}
