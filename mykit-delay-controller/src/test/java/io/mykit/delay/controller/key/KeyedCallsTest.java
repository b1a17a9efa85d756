package io.mykit.delay.controller.key;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class KeyedCallsTest {
    private static final MessageKey KEY = new MessageKey("orders", "4711");

    private final AtomicLong nanos = new AtomicLong();

    @Test
    void afterItsTimeTheCallTriesNoFurtherMessageAndSaysSo() {
        List<String> tried = new ArrayList<>();
        assertThat(answers(id -> {
                    tried.add(id);
                    nanos.addAndGet(KeyedCalls.LONGEST.toNanos() / 2);
                    return Envelope.success(id);
                }))
                .containsExactly(
                        "a ok",
                        "b ok",
                        "c BUSY not tried, because the call has taken 20 s; repeat it",
                        "d BUSY not tried, because the call has taken 20 s; repeat it");
        assertThat(tried).containsExactly("a", "b");
    }

    /** The client gets its answer within the time that open requests have at a close. */
    @Test
    void aNodeThatClosesEndsTheCallWithItsCurrentMessage() {
        try (KeyedCalls calls = new KeyedCalls((topic, bizKey) -> List.of("a", "b", "c"), nanos::get)) {
            assertThat(answers(calls, id -> {
                        calls.stop();
                        return Envelope.success(id);
                    }))
                    .containsExactly(
                            "a ok",
                            "b STOPPING not tried: this node stops; ask another one",
                            "c STOPPING not tried: this node stops; ask another one");
        }
    }

    /** Another message may be on a shard that is there, and a lost commit says nothing about the next one. */
    @Test
    void anUnknownOutcomeAndASilentShardEndNothing() {
        assertThat(answers(id -> switch (id) {
                    case "a" -> throw new DelayException(ErrorCode.INDEX_UNAVAILABLE, "no shard");
                    case "b" -> throw new DelayException(ErrorCode.OUTCOME_UNKNOWN, "ask again");
                    case "c" -> throw new IllegalStateException("defect");
                    default -> Envelope.success(id);
                }))
                .containsExactly(
                        "a INDEX_UNAVAILABLE no shard",
                        "b OUTCOME_UNKNOWN ask again",
                        "c INTERNAL internal error; the server's log knows more",
                        "d ok");
    }

    private List<String> answers(Function<String, Reply> single) {
        try (KeyedCalls calls = new KeyedCalls((topic, bizKey) -> List.of("a", "b", "c", "d"), nanos::get)) {
            return answers(calls, single);
        }
    }

    private static List<String> answers(KeyedCalls calls, Function<String, Reply> single) {
        String answer = calls.each(KEY, single).join().body().toString();
        return JSON.parseObject(answer).getList("data", JSONObject.class).stream()
                .map(item -> item.getString("id")
                        + (item.containsKey("error") ? " " + item.getString("error") : "")
                        + " " + item.getString("message"))
                .toList();
    }
}
