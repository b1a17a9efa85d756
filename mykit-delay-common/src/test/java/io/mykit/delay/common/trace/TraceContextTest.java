package io.mykit.delay.common.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String PARENT = "00-" + TRACE + "-" + SPAN + "-01";

    @Test
    void readsAndWritesTheSameText() {
        TraceContext context = TraceContext.read(PARENT, "a=1,b=2").orElseThrow();

        assertThat(context).isEqualTo(new TraceContext(TRACE, SPAN, 1, "a=1,b=2"));
        assertThat(context.isSampled()).isTrue();
        assertThat(context.parent()).isEqualTo(PARENT);
    }

    @Test
    void keepsFlagsThatItDoesNotKnow() {
        String text = "00-" + TRACE + "-" + SPAN + "-fe";

        TraceContext context = TraceContext.read(text, null).orElseThrow();

        assertThat(context.isSampled()).isFalse();
        assertThat(context.parent()).isEqualTo(text);
    }

    @Test
    void readsAHigherVersionByTheLayoutOfTheFirst() {
        assertThat(TraceContext.read("01-" + TRACE + "-" + SPAN + "-01", null)).isPresent();
        assertThat(TraceContext.read("cc-" + TRACE + "-" + SPAN + "-01-more", null))
                .hasValueSatisfying(context -> assertThat(context.parent()).isEqualTo(PARENT));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "00",
                "00-" + TRACE + "-" + SPAN,
                "00-" + TRACE + "-" + SPAN + "-0",
                "00-" + TRACE + "-" + SPAN + "-01-more",
                "01-" + TRACE + "-" + SPAN + "-01more",
                "ff-" + TRACE + "-" + SPAN + "-01",
                "0x-" + TRACE + "-" + SPAN + "-01",
                "00-0AF7651916CD43DD8448EB211C80319C-" + SPAN + "-01",
                "00-00000000000000000000000000000000-" + SPAN + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00_" + TRACE + "_" + SPAN + "_01",
                "00-" + TRACE + "-" + SPAN + "-zz"
            })
    void ignoresAMalformedParent(String parent) {
        assertThat(TraceContext.read(parent, "a=1")).isEmpty();
    }

    @Test
    void leavesAStateOutThatIsTooLongOrNotPrintable() {
        assertThat(TraceContext.read(PARENT, "a".repeat(513)))
                .hasValueSatisfying(context -> assertThat(context.state()).isEmpty());
        assertThat(TraceContext.read(PARENT, "a=\u0001"))
                .hasValueSatisfying(context -> assertThat(context.state()).isEmpty());
        assertThat(TraceContext.read(PARENT, "a".repeat(512)))
                .hasValueSatisfying(context -> assertThat(context.state()).hasSize(512));
    }

    @Test
    void replacesTheContextInHeadersAndNothingElse() {
        TraceContext context = TraceContext.read(PARENT, null).orElseThrow();

        assertThat(context.in(Map.of("a", "1", TraceContext.PARENT, "old", TraceContext.STATE, "old=1")))
                .isEqualTo(Map.of("a", "1", TraceContext.PARENT, PARENT));
        assertThat(TraceContext.of(context.in(Map.of()))).contains(context);
        assertThat(TraceContext.of(Map.of())).isEmpty();
    }

    @Test
    void theCaseOfAHeaderDoesNotMatter() {
        Map<String, String> headers = Map.of("TraceParent", PARENT, "Tracestate", "a=1", "other", "2");
        TraceContext context = new TraceContext(TRACE, SPAN, 1, "a=1");

        assertThat(TraceContext.of(headers)).contains(context);
        assertThat(TraceContext.isIn(headers)).isTrue();
        assertThat(TraceContext.isIn(Map.of("other", PARENT))).isFalse();
        assertThat(context.in(headers)).containsOnlyKeys("traceparent", "tracestate", "other");
    }
}
