package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A map of sections with several keys. */
class SettingNamesTest {
    private final SettingNames names = new SettingNames(
            List.of(new SectionMap("m.topics.", Set.of("channel", "ttl", "max-attempts"), Optional.of("channel"))));

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "m.http.port,m.http.port",
                "m.topics,m.topics",
                "m.topics.,m.topics.",
                "m.topics.a,m.topics.\"a\".channel",
                "m.topics.ttl,m.topics.\"ttl\".channel",
                "m.topics.a.b,m.topics.\"a.b\".channel",
                "m.topics.a/b.c,m.topics.\"a/b.c\".channel",
                "m.topics.a.ttl,m.topics.\"a\".ttl",
                "m.topics.a.b.max-attempts,m.topics.\"a.b\".max-attempts",
                "m.topics.a.ttl.ttl,m.topics.\"a.ttl\".ttl",
                "m.topics.\"a.ttl\",m.topics.\"a.ttl\".channel",
                "m.topics.\"a.ttl\".ttl,m.topics.\"a.ttl\".ttl",
                "m.topics.\"a,m.topics.\"a",
                "m.topics.\"\",m.topics.\"\"",
            })
    void inOneLineTheLastPartIsAKeyIfItIsKnown(String written, String key) {
        assertThat(names.inLine(written)).isEqualTo(SettingNames.Named.of(key));
    }

    @Test
    void withoutAPlainKeyEachNameEndsWithAKey() {
        SettingNames sections = new SettingNames(
                List.of(new SectionMap("m.policy.", Set.of("interval", "max-interval"), Optional.empty())));
        assertThat(sections.inLine("m.policy.a.interval").key()).isEqualTo("m.policy.\"a\".interval");
        assertThat(sections.inLine("m.policy.*.interval").key()).isEqualTo("m.policy.\"*\".interval");
        assertThat(sections.inFile("m.policy.\"a.b\".interval").key()).isEqualTo("m.policy.\"a.b\".interval");
        assertThat(sections.inEnvironment("M_POLICY_A_MAX_INTERVAL", Set.of()))
                .hasValueSatisfying(named -> assertThat(named.key()).isEqualTo("m.policy.\"a\".max-interval"));
        for (String name : List.of("m.policy.a", "m.policy.\"a\"", "m.policy.a.b")) {
            assertThat(sections.inLine(name).objection())
                    .hasValueSatisfying(objection -> assertThat(objection).contains("must end with a key"));
        }
        assertThat(sections.inFile("m.policy.\"a.interval\"").objection())
                .hasValueSatisfying(objection -> assertThat(objection).contains("write \"a: {interval: ...}\""));
    }

    @ParameterizedTest
    @CsvSource({
        "m.topics.a.chanel,m.topics.a.channel",
        "m.topics.a.b.max-attempt,m.topics.a.b.max-attempts",
        "m.topics.a.tl,m.topics.a.ttl",
    })
    void aLastPartThatIsNearlyAKeyIsRefused(String written, String meant) {
        assertThat(names.inLine(written).objection()).hasValueSatisfying(objection -> assertThat(objection)
                .contains("did you mean " + meant + "?")
                .contains("write " + written + ".channel"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "\"m.http.port\",m.http.port",
                "m.topics.a,m.topics.\"a\".channel",
                "m.topics.\"a.b\",m.topics.\"a.b\".channel",
                "m.topics.a.ttl,m.topics.\"a\".ttl",
                "m.topics.a.b.ttl,m.topics.\"a.b\".ttl",
                "m.topics.\"a.ttl\".ttl,m.topics.\"a.ttl\".ttl",
                "m.\"topics.a\",m.topics.\"a\".channel",
                "m.\"topics.a\".ttl,m.topics.\"a\".ttl",
                "\"m.topics.a.b\",m.topics.\"a.b\".channel",
                "\"m.topics.a.ttl\",m.topics.\"a\".ttl",
            })
    void inTheFileAKeyBelowATopicIsAKeyOfItsSection(String path, String key) {
        assertThat(names.inFile(path)).isEqualTo(SettingNames.Named.of(key));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            delimiter = '|',
            value = {
                "m.topics.a.b|known here are channel, max-attempts, ttl",
                "m.topics.a.tl|did you mean m.topics.a.ttl?",
                "m.topics.\"a.ttl\"|could be a.ttl, or ttl of a; write \"a.ttl: {channel: ...}\" or \"a: {ttl: ...}\"",
            })
    void otherKeysOfTheFileAreRefused(String path, String reason) {
        SettingNames.Named named = names.inFile(path);
        assertThat(named.key()).isEqualTo(path.replace("\"", ""));
        assertThat(named.objection())
                .hasValueSatisfying(objection -> assertThat(objection).endsWith(reason));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "M_TOPICS_CES,m.topics.\"ces\".channel",
                "M_TOPICS_TTL,m.topics.\"ttl\".channel",
                "M_TOPICS_CES_TTL,m.topics.\"ces\".ttl",
                "M_TOPICS_A_B_MAX_ATTEMPTS,m.topics.\"a_b\".max-attempts",
                "M_TOPICS_MY_TOPIC,m.topics.\"My.Topic\".channel",
                "M_TOPICS_MY_TOPIC_TTL,m.topics.\"My.Topic\".ttl",
                "M_TOPICS_MY_TOPIC_MAX_ATTEMPTS,m.topics.\"My.Topic\".max-attempts",
            })
    void aVariableStandsForATopicThatIsThereOrForOneInLowerCase(String variable, String key) {
        assertThat(names.inEnvironment(variable, Set.of("m.topics.\"My.Topic\".ttl")))
                .contains(SettingNames.Named.of(key));
    }

    @Test
    void aVariableThatCouldStandForTwoKeysIsRefused() {
        Set<String> known = Set.of("m.topics.\"a\".channel", "m.topics.\"a.ttl\".channel");
        assertThat(names.inEnvironment("M_TOPICS_A_TTL", known)).hasValueSatisfying(named -> assertThat(
                        named.objection())
                .hasValueSatisfying(objection ->
                        assertThat(objection).contains("m.topics.\"a\".ttl").contains("m.topics.\"a.ttl\".channel")));
        assertThat(names.inEnvironment("M_HTTP_PORT", known)).isEmpty();
    }
}
