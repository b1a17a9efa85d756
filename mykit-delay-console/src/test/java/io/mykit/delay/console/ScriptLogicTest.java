package io.mykit.delay.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the scripts of the page compute. */
class ScriptLogicTest {
    private Scripts scripts;

    @BeforeEach
    void load() throws IOException {
        scripts = new Scripts(Map.of("language", "en", "zone", "Europe/Berlin"));
    }

    @AfterEach
    void close() {
        scripts.close();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 ms",
        "999, 999 ms",
        "1500, 1.5 s",
        "-59400, 59 s",
        "60000, 1 min",
        "61000, 1 min 1 s",
        "3599999, 59 min 59 s",
        "90000000, 1 d 1 h",
        "NaN, –"
    })
    void aDurationHasAtMostTwoUnits(double ms, String text) throws IOException {
        assertThat(format("duration", ms).asString()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "90000, 90000",
        "500ms, 500",
        "1h30m, 5400000",
        "' 2d ', 172800000",
        "1x, NaN",
        "'', NaN",
        "-1s, NaN",
        "1.5h, NaN"
    })
    void durationsAreReadAsTheServerReadsThem(String text, Double ms) throws IOException {
        assertThat(format("parseDuration", text).asDouble()).isEqualTo(ms);
    }

    @ParameterizedTest
    @CsvSource({"2592000000, 30d", "5400000, 90m", "90061001, 90061001ms", "1500, 1500ms", "43200000, 12h"})
    void aDurationIsWrittenWithoutALoss(long ms, String text) throws IOException {
        assertThat(format("writeDuration", ms).asString()).isEqualTo(text);
        assertThat(format("parseDuration", text).asLong()).isEqualTo(ms);
    }

    /** Around both changes of the clock in Berlin, and in the hour that is there twice. */
    @ParameterizedTest
    @CsvSource({
        "2026-03-29T00:59:59Z, 2026-03-29T01:59:59",
        "2026-03-29T01:00:00Z, 2026-03-29T03:00:00",
        "2026-10-25T01:30:00Z, 2026-10-25T02:30:00",
        "2026-10-25T02:00:00Z, 2026-10-25T03:00:00",
        "2026-11-22T14:03:05Z, 2026-11-22T15:03:05"
    })
    void aTimeOfTheZoneIsReadBack(Instant instant, String wall) throws IOException {
        long ms = instant.toEpochMilli();
        assertThat(format("toWall", ms).asString()).isEqualTo(wall);
        assertThat(format("fromWall", wall).asLong()).isEqualTo(ms);
    }

    @Test
    void whatIsNoTimeIsNone() throws IOException {
        assertThat(format("fromWall", "soon").asDouble()).isNaN();
        assertThat(format("toWall", 8.65e15).asString()).isEmpty();
        assertThat(format("absolute", Double.NaN).asString()).isEqualTo("–");
    }

    @Test
    void charactersThatAreNotSeenAreShown() throws IOException {
        assertThat(format("visible", "a\u202eb\u0000").asString()).isEqualTo("a\\u202eb\\u0000");
        assertThat(format("visibleLine", "a\tb\nc").asString()).isEqualTo("a\\tb\\nc");
    }

    /** A number of the table may be larger than a number of JavaScript. */
    @Test
    void jsonIsLaidOutWithoutAChangeOfItsTokens() throws IOException {
        Value layOut = scripts.module("body.js").getMember("layOut");
        assertThat(layOut.execute("{\"n\":12345678901234567890,\"a\":[1,{}],\"a\":1e5}")
                        .asString())
                .isEqualTo("""
                        {
                          "n": 12345678901234567890,
                          "a": [
                            1,
                            {}
                          ],
                          "a": 1e5
                        }""");
        for (String none : new String[] {"", "{", "[1,]", "{a:1}", "01", "[1] 2", "\"\u0001\"", "[".repeat(101)}) {
            assertThat(layOut.execute(none).isNull()).as(none).isTrue();
        }
    }

    @Test
    void bytesAreShownInRows() throws IOException {
        assertThat(scripts.module("body.js").invokeMember("hexDump", "AEFC/w==").asString())
                .isEqualTo("00000000  00 41 42 ff                                      .AB.");
    }

    @Test
    void theStretchesOfAMessageFollowItsMoves() throws IOException {
        Value job = scripts.value("""
                {createTime: 100, updateTime: 900, statusName: 'FINISH', flow: [
                    {time: 500, toName: 'READY'}, {time: 110, toName: 'DELAY'}, {time: 800, toName: 'FINISH'}]}""");
        Value life = scripts.module("timeline.js").invokeMember("stretches", job, 5_000);
        assertThat(life.getMember("begin").asLong()).isEqualTo(100);
        assertThat(life.getMember("end").asLong())
                .as("an ended message ends with its last move")
                .isEqualTo(800);
        assertThat(life.getMember("ready").asLong()).isEqualTo(500);
        assertThat(life.getMember("parts").getArraySize()).isEqualTo(2);
        assertThat(life.getMember("parts").getArrayElement(1).getMember("to").asLong())
                .isEqualTo(800);
    }

    @Test
    void theFormForAPushRefusesWhatTheServerRefuses() throws IOException {
        Value good = readPush("{topic: 't', body: 'b', headers: 'a: b'}");
        assertThat(good.getMember("wrong").getMember("size").asInt()).isZero();
        assertThat(good.getMember("push").getMember("headers").getMember("a").asString())
                .isEqualTo("b");
        Value wrong = readPush("{topic: 'x'.repeat(129), bodyBase64: '?', headers: 'no colon'}")
                .getMember("wrong");
        for (String field : new String[] {"topic", "bodyBase64", "headers"}) {
            assertThat(wrong.invokeMember("has", field).asBoolean()).as(field).isTrue();
        }
        assertThat(readPush("{}")
                        .getMember("wrong")
                        .invokeMember("get", "topic")
                        .asString())
                .isEmpty();
    }

    @Test
    void aListShowsTheLimitsThatThereAre() throws IOException {
        String row = "{pushRate: 1500, pullRate: null, maxDelay: 90000000, maxBody: 65536, maxTopics: 3}";
        assertThat(limits("words", "OF_NAMESPACES", row).as(String[].class))
                .containsExactly("push rate 1,500/s", "longest delay 1 d 1 h", "largest body 64 KiB", "topics 3");
        assertThat(limits("words", "OF_TOKENS", "{pullRate: null}").as(String[].class))
                .isEmpty();
    }

    /** A field that was emptied is 0 in the call, and one that stays is not in it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                    | {}",
                "{pushRate: '', maxDelay: ''}          | {\"pushRate\":0,\"maxDelay\":0}",
                "{pushRate: '7', maxTopics: '1'}       | {\"pushRate\":7,\"maxTopics\":1}",
                "{maxDelay: '2h', maxBody: '-1'}       | {\"maxDelay\":\"2h\",\"maxBody\":-1}",
                "{pullRate: 'many', maxTopics: '1.5'}  | {\"pullRate\":\"many\",\"maxTopics\":\"1.5\"}",
                "{pushRate: '-', pullRate: '12345678901234567890'} | {\"pushRate\":\"-\",\"pullRate\":\"12345678901234567890\"}",
            })
    void onlyLimitsThatDifferAreSent(String typed, String sent) throws IOException {
        String row = "{pushRate: 5, pullRate: null, maxDelay: 90000000, maxBody: null, maxTopics: null}";
        Value fields = limits("values", "OF_NAMESPACES", row);
        assertThat(fields.getMember("maxDelay").asString()).isEqualTo("25h");
        Value edited = scripts.value("Object.assign").execute(fields, scripts.value(typed));
        Value changed = scripts.module("limits.js")
                .invokeMember("changed", limitsOf("OF_NAMESPACES"), edited, scripts.value(row));
        assertThat(scripts.value("JSON.stringify").execute(changed).asString()).isEqualTo(sent);
    }

    private Value limits(String function, String names, String row) throws IOException {
        return scripts.module("limits.js").invokeMember(function, limitsOf(names), scripts.value(row));
    }

    private Value limitsOf(String names) throws IOException {
        return scripts.module("limits.js").getMember(names);
    }

    private Value readPush(String values) throws IOException {
        return scripts.module("push.js").invokeMember("readPush", scripts.value(values));
    }

    private Value format(String function, Object argument) throws IOException {
        return scripts.module("format.js").invokeMember(function, argument);
    }
}
