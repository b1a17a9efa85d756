package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.common.value.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelSectionsTest {
    private static final String NOT_INSTALLED =
            "there is no such key; the channel is not installed: put its jar into plugins/";

    private final ChannelCatalog channels =
            new ChannelCatalog(List.of(new FakeFactory("mine"), new FakeFactory("her-own")));

    @Test
    void aChannelSeesItsOwnSectionAlone() {
        LoadedConfig loaded = load(Map.of(
                "mykit.delay.mine.url", "x://y",
                "mykit.delay.mine.credential", "${s}",
                "mykit.delay.delivery.send-timeout", "7s",
                "mykit.delay.delivery.topics.orders.channel", "mine"));

        assertThat(loaded.channels().keySet()).containsExactly("her-own", "mine");
        ChannelSettings mine = loaded.channels().get("mine").settings();
        assertThat(mine.get(FakeFactory.URL)).isEqualTo("x://y");
        assertThat(mine.get(FakeFactory.CREDENTIAL)).isEqualTo(new Secret("${s}"));
        assertThat(mine.find(FakeFactory.TRIES)).isEmpty();
        assertThat(mine.sendTimeout()).hasSeconds(7);
        assertThat(mine.inUse()).isTrue();
        assertThat(mine).asString().doesNotContain("${s}");
        ChannelSettings other = loaded.channels().get("her-own").settings();
        assertThat(other.get(FakeFactory.URL)).isEqualTo("x://default");
        assertThat(other.find(FakeFactory.CREDENTIAL)).isEmpty();
        assertThat(other.inUse()).isFalse();
    }

    @Test
    void aSectionMayStandBelowChannelsToo(@TempDir Path dir) throws Exception {
        Path file = Files.writeString(
                dir.resolve("application.yml"), "mykit: {delay: {channels: {mine: {url: 'x://file', tries: 4}}}}");
        LoadedConfig loaded = ConfigLoader.load(
                new CommandLine(false, false, Optional.of(file), Map.of()),
                Map.of("MYKIT_DELAY_CHANNELS_HER_OWN_URL", "x://a", "MYKIT_DELAY_MINE_TRIES", "5"),
                new Properties(),
                channels);

        assertThat(loaded.channels().get("mine").settings().get(FakeFactory.URL))
                .isEqualTo("x://file");
        assertThat(loaded.channels().get("mine").settings().get(FakeFactory.TRIES))
                .isEqualTo(5);
        assertThat(loaded.channels().get("her-own").settings().get(FakeFactory.URL))
                .isEqualTo("x://a");
    }

    @Test
    void unknownKeysAndBadValuesOfASectionAreRefused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of(
                        "mykit.delay.mine.ulr", "1",
                        "mykit.delay.mine.tries", "many",
                        "mykit.delay.channels.mine.other", "2")))
                .withMessageContaining("mykit.delay.mine.ulr = 1 (from the command line): there is no such key; "
                        + "did you mean mykit.delay.mine.url?")
                .withMessageContaining("mykit.delay.mine.tries = many (from the command line): must be a whole number")
                .withMessageContaining(
                        "mykit.delay.channels.mine.other = 2 (from the command line): there is no such key");
    }

    @Test
    void aTopicHasValuesOfItsOwnWhereverTheyAreGiven(@TempDir Path dir) throws Exception {
        Path file = Files.writeString(
                dir.resolve("application.yml"),
                "mykit: {delay: {mine: {url: 'x://all', topics: {orders: {url: 'x://file'}, 'shop/*': {credential: s}}}}}");
        LoadedConfig loaded = ConfigLoader.load(
                new CommandLine(
                        false, false, Optional.of(file), Map.of("mykit.delay.mine.topics.a.b.credential", "line")),
                Map.of(
                        "MYKIT_DELAY_MINE_TOPICS_ORDERS_URL",
                        "x://environment",
                        "MYKIT_DELAY_HER_OWN_TOPICS_T_URL",
                        "x://t"),
                new Properties(),
                channels);

        ChannelSettings mine = loaded.channels().get("mine").settings();
        assertThat(mine.byTopic(FakeFactory.URL).find("orders")).contains("x://environment");
        assertThat(mine.byTopic(FakeFactory.URL).find("shop/a")).contains("x://all");
        assertThat(mine.byTopic(FakeFactory.CREDENTIAL).find("shop/a")).contains(new Secret("s"));
        assertThat(mine.byTopic(FakeFactory.CREDENTIAL).find("a.b")).contains(new Secret("line"));
        assertThat(mine.byTopic(FakeFactory.CREDENTIAL).find("orders")).isEmpty();
        ChannelSettings other = loaded.channels().get("her-own").settings();
        assertThat(other.byTopic(FakeFactory.URL).own()).isEqualTo(Map.of("t", "x://t"));
    }

    @Test
    void unknownKeysAndBadValuesOfATopicAreNamedAndSecretsAreHidden() {
        CommandLine commandLine = new CommandLine(
                false,
                false,
                Optional.empty(),
                Map.of(
                        "mykit.delay.mine.topics.orders.credental", "hush-hush",
                        "mykit.delay.mine.topics.orders", "hush-hush",
                        "mykit.delay.mine.topics.orders.tries", "3"));
        Map<String, String> environment = Map.of("MYKIT_DELAY_MINE_TOPICS_ORDERS_CREDENTAL", "hush-hush");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(commandLine, environment, new Properties(), channels))
                .withMessageContaining(
                        "mykit.delay.mine.topics.orders.credental = *** (from the command line): there is no such key;"
                                + " did you mean mykit.delay.mine.topics.orders.credential?")
                .withMessageContaining(
                        "mykit.delay.mine.topics.orders.tries = *** (from the command line): must end with a key;"
                                + " known here are credential, url")
                .withMessageContaining("MYKIT_DELAY_MINE_TOPICS_ORDERS_CREDENTAL = *** ")
                .withMessageNotContaining("hush-hush");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of("mykit.delay.mine.topics.a.b.credential", "hush-hush")))
                .withMessageContaining(
                        "mykit.delay.mine.topics.a.b.credential = *** (from the command line): must be another one")
                .withMessageNotContaining("hush-hush");
    }

    @Test
    void aFamilyTakesAnyNameWithDotsWhereverItIsGiven(@TempDir Path dir) throws Exception {
        Path file = Files.writeString(
                dir.resolve("application.yml"),
                "mykit: {delay: {mine: {properties: {linger.ms: 5, ssl: {protocol: TLSv1.3}}},"
                        + " channels: {her-own: {properties: {client.id: x}}}}}");
        LoadedConfig loaded = ConfigLoader.load(
                new CommandLine(false, false, Optional.of(file), Map.of("mykit.delay.mine.properties.batch.size", "1")),
                Map.of(
                        "MYKIT_DELAY_MINE_PROPERTIES_LINGER_MS", "7",
                        "MYKIT_DELAY_CHANNELS_HER_OWN_PROPERTIES_RETRY_BACKOFF_MS", "9"),
                new Properties(),
                channels);

        assertThat(loaded.channels().get("mine").settings().family(FakeFactory.PROPERTIES))
                .isEqualTo(Map.of(
                        "linger.ms", new Secret("7"),
                        "ssl.protocol", new Secret("TLSv1.3"),
                        "batch.size", new Secret("1")));
        assertThat(loaded.channels().get("her-own").settings().family(FakeFactory.PROPERTIES))
                .isEqualTo(Map.of("client.id", new Secret("x"), "retry.backoff.ms", new Secret("9")));
        assertThat(loaded.channels().get("mine").settings()).asString().doesNotContain("TLSv1.3");
    }

    @Test
    void aMemberOfAFamilyIsRefusedByItsNameAndItsValueIsHidden() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of("mykit.delay.mine.properties.acks", "hush-hush")))
                .withMessageContaining("mykit.delay.mine.properties.acks = *** (from the command line): cannot be set")
                .withMessageNotContaining("hush-hush");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of("mykit.delay.mine.properties", "hush-hush")))
                .withMessageContaining("mykit.delay.mine.properties = ***")
                .withMessageNotContaining("hush-hush");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of("mykit.delay.mine.propertys.x", "hush-hush")))
                .withMessageContaining("did you mean mykit.delay.mine.properties.<name>?")
                .withMessageNotContaining("hush-hush");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of("mykit.delay.mine.properties.", "hush-hush")))
                .withMessageContaining("mykit.delay.mine.properties. = ***")
                .withMessageNotContaining("hush-hush");
    }

    @Test
    void theSectionOfAChannelWhoseJarIsMissingTellsSo() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of(
                        "mykit.delay.delivery.topics.orders", "absent",
                        "mykit.delay.absent.key", "hush-hush")))
                .withMessageContaining("mykit.delay.absent.key = *** (from the command line): " + NOT_INSTALLED);
    }

    @Test
    void theHintAtAMissingJarIsTheSameForEachWayToWriteTopicAndKey() {
        CommandLine commandLine = new CommandLine(
                false,
                false,
                Optional.empty(),
                Map.of(
                        "mykit.delay.delivery.topics.a.b.channel", "absent",
                        "mykit.delay.channels.absent.key", "hush-hush"));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(
                        commandLine,
                        Map.of("MYKIT_DELAY_ABSENT_KEY", "hush-hush", "MYKIT_DELAY_CHANNELS_ABSENT_KEY", "hush-hush"),
                        new Properties(),
                        channels))
                .withMessageContaining(
                        "mykit.delay.channels.absent.key = *** (from the command line): " + NOT_INSTALLED)
                .withMessageContaining("MYKIT_DELAY_ABSENT_KEY = *** (from the environment variable"
                        + " MYKIT_DELAY_ABSENT_KEY): " + NOT_INSTALLED)
                .withMessageContaining("MYKIT_DELAY_CHANNELS_ABSENT_KEY = *** (from the environment variable"
                        + " MYKIT_DELAY_CHANNELS_ABSENT_KEY): " + NOT_INSTALLED);
    }

    @Test
    void aKeyInBothPlacesIsGivenTwice() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(
                        () -> load(Map.of("mykit.delay.mine.url", "x://y", "mykit.delay.channels.mine.url", "x://y")))
                .withMessageContaining("x://y (from the command line): is given twice, also as mykit.delay.");
    }

    @Test
    void theServersOwnSectionsAreNotBelowChannels() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of("mykit.delay.channels.http.port", "1")))
                .withMessageContaining(
                        "mykit.delay.channels.http.port = 1 (from the command line): there is no such key");
    }

    @Test
    void whatTheChannelRefusesIsShownWithItsOriginAndWithoutSecrets() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of(
                        "mykit.delay.delivery.default-channel", "mine",
                        "mykit.delay.mine.tries", "10",
                        "mykit.delay.mine.credential", "hush-hush")))
                .withMessageContaining("mykit.delay.mine.tries = 10 (from the command line): must be from 1 to 9")
                .withMessageContaining("mykit.delay.mine.credential = *** (from the command line): must be another one")
                .withMessageContaining("mykit.delay.mine.url = x://default (from the default): must be named")
                .withMessageNotContaining("hush-hush");
    }

    @Test
    void valuesKnownLaterReachTheSection() {
        LoadedConfig loaded =
                load(Map.of("mykit.delay.mine.tries", "3")).with(Map.of("mykit.delay.mine.url", "x://later"));

        assertThat(loaded.channels().get("mine").settings().get(FakeFactory.URL))
                .isEqualTo("x://later");
        assertThat(loaded.channels().get("mine").settings().get(FakeFactory.TRIES))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "channels", "mode", "data-dir", "log", "a.b", ""})
    void aChannelCannotTakeTheNameOfAnotherSection(String name) {
        List<DeliveryChannelFactory> one = List.of(new FakeFactory(name));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> new ChannelCatalog(one))
                .withMessageContaining("cannot be called '" + name + "'")
                .withMessageContaining(FakeFactory.class.getName());
    }

    @Test
    void twoChannelsOfOneNameAreAMistake() {
        List<DeliveryChannelFactory> two = List.of(new FakeFactory("one"), new FakeFactory("one"));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> new ChannelCatalog(two))
                .withMessageContaining("two delivery channels are called one");
    }

    @Test
    void theReferenceEndsWithTheKeysOfTheChannels() {
        List<ConfigReference.Entry> entries = ConfigReference.entries(channels);

        assertThat(entries)
                .contains(new ConfigReference.Entry("mykit.delay.mine.url", "x://default", "The address."))
                .contains(new ConfigReference.Entry("mykit.delay.her-own.credential", "", "The secret."))
                .contains(new ConfigReference.Entry(
                        "mykit.delay.mine.topics.<name>.credential", "", "The credential of this topic."));
        assertThat(entries)
                .filteredOn(entry -> entry.name().equals("mykit.delay.mine.topics"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.explanation()).contains("orders: {url: ...}"));
    }

    private LoadedConfig load(Map<String, String> settings) {
        return ConfigLoader.load(settings, channels);
    }
}
