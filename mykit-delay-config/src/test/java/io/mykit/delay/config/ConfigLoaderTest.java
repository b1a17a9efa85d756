package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mykit.delay.common.value.Secret;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
    @TempDir
    private Path dir;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = dir.resolve("application.yml");
    }

    @Test
    void defaults() {
        DelayConfig config = ConfigLoader.load(Map.of());

        assertThat(config.mode()).isEqualTo(DelayConfig.Mode.STANDALONE);
        assertThat(config.dataDir()).isEqualTo(Path.of("./data"));
        assertThat(config.http().port()).isEqualTo(6355);
        assertThat(config.http().adminToken()).isEmpty();
        assertThat(config.redis().uri()).isEqualTo(new Secret("embedded"));
        assertThat(config.delivery().lease()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.delivery().topics()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "'off'"})
    void offNeedsNoQuotes(String off) throws Exception {
        Files.writeString(
                file,
                "mykit: {delay: {flow-log: " + off + ", log: {requests: " + off + "}, retention: {enabled: false}}}");

        LoadedConfig loaded = load(Map.of(), Map.of());

        assertThat(loaded.config().flowLog()).isEqualTo(FlowLog.OFF);
        assertThat(loaded.config().log().requests()).isEqualTo("off");
        assertThat(loaded.config().retention().enabled()).isFalse();
    }

    @Test
    void everyValueCanBeChanged() {
        DelayConfig config = ConfigLoader.load(Map.of(
                "mykit.delay.mode", "master-standby",
                "mykit.delay.registry.server-list", "127.0.0.1:2181,127.0.0.1:2182",
                "mykit.delay.redis.uri", "redis-cluster://a:1,b:2",
                "mykit.delay.datasource.url", "jdbc:mysql://db:3306/delay?useSSL=false",
                "mykit.delay.datasource.password", "${x}\\",
                "mykit.delay.delivery.topics.orders", "console",
                "mykit.delay.delivery.topics.a.b", "console"));

        assertThat(config.mode()).isEqualTo(DelayConfig.Mode.MASTER_STANDBY);
        assertThat(config.registry().serverList()).contains("127.0.0.1:2181,127.0.0.1:2182");
        assertThat(config.datasource().password()).contains(new Secret("${x}\\"));
        assertThat(ChannelNames.byTopic(config.delivery())).isEqualTo(Map.of("orders", "console", "a.b", "console"));
    }

    @Test
    void aFormerNameStandsForItsKey() throws Exception {
        Files.writeString(file, "mykit: {delay: {queue: {bucket-size: 5}}}");
        assertThat(load(Map.of(), Map.of()).config().queue().buckets()).isEqualTo(5);
        assertThat(load(Map.of("MYKIT_DELAY_QUEUE_BUCKET_SIZE", "6"), Map.of())
                        .config()
                        .queue()
                        .buckets())
                .isEqualTo(6);
        assertThat(load(Map.of(), Map.of("mykit.delay.queue.bucket-size", "7"))
                        .config()
                        .queue()
                        .buckets())
                .isEqualTo(7);
    }

    @Test
    void laterSourcesWin() throws Exception {
        Files.writeString(file, "mykit: {delay: {http: {port: 1}, queue: {name: file}}}");

        assertThat(port(Map.of(), Map.of(), Map.of())).isEqualTo(1);
        assertThat(port(Map.of("MYKIT_DELAY_HTTP_PORT", "2"), Map.of(), Map.of()))
                .isEqualTo(2);
        assertThat(port(Map.of("MYKIT_DELAY_HTTP_PORT", "2"), Map.of("mykit.delay.http.port", "3"), Map.of()))
                .isEqualTo(3);
        assertThat(port(
                        Map.of("MYKIT_DELAY_HTTP_PORT", "2"),
                        Map.of("mykit.delay.http.port", "3"),
                        Map.of("mykit.delay.http.port", "4")))
                .isEqualTo(4);
        assertThat(load(Map.of(), Map.of()).config().queue().name()).isEqualTo("file");
    }

    @Test
    void theFileIsNamedByPropertyOrEnvironmentOrFoundAtHome() throws Exception {
        Files.createDirectories(dir.resolve("conf"));
        Files.writeString(dir.resolve("conf/application.yml"), "mykit.delay.http.port: 1");
        Files.writeString(file, "mykit.delay.http.port: 2");
        CommandLine nothing = CommandLine.parse();

        assertThat(load(nothing, Map.of(), new Properties()).file()).isEmpty();
        assertThat(portOf(load(nothing, Map.of("MYKIT_DELAY_HOME", dir.toString()), new Properties())))
                .isEqualTo(1);
        assertThat(portOf(load(
                        nothing,
                        Map.of("MYKIT_DELAY_HOME", dir.toString(), "MYKIT_DELAY_CONFIG", file.toString()),
                        new Properties())))
                .isEqualTo(2);
        assertThat(portOf(load(nothing, Map.of(), properties("mykit.delay.config", file.toString()))))
                .isEqualTo(2);
    }

    @Test
    void aTopicIsAChannelOrASection() throws Exception {
        Files.writeString(file, """
                mykit:
                  delay:
                    delivery.topics.in.one.line: console
                    delivery.topics.in.one.section.channel: console
                    delivery:
                      topics:
                        plain: console
                        section: {channel: console}
                        with.dots: console
                        with/slash.and.dots: {channel: console}
                        odd.channel: {channel: console}
                        empty: {}
                """);

        DeliveryConfig delivery = load(
                        Map.of(),
                        Map.of(
                                "mykit.delay.delivery.topics.plain", "activemq",
                                "mykit.delay.delivery.topics.section.channel", "activemq",
                                "mykit.delay.delivery.topics.a.channel.channel", "activemq",
                                "mykit.delay.delivery.topics.\"b.channel\"", "activemq"))
                .config()
                .delivery();

        assertThat(ChannelNames.byTopic(delivery))
                .isEqualTo(Map.of(
                        "plain", "activemq",
                        "section", "activemq",
                        "a.channel", "activemq",
                        "b.channel", "activemq",
                        "with.dots", "console",
                        "with/slash.and.dots", "console",
                        "odd.channel", "console",
                        "in.one.line", "console",
                        "in.one.section", "console"));
        assertThat(ChannelNames.inUse(delivery)).containsExactly("activemq", "console");
    }

    @Test
    void keysOfATopicAreCheckedLikeAllOthers() throws Exception {
        Files.writeString(file, """
                mykit.delay.delivery.topics:
                  a: {chanel: console}
                  b: {colour: console}
                  c: ""
                  d: {channel: ""}
                  e.channel: console
                  f: {channel: {name: console}}
                """);

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(
                        new CommandLine(
                                false,
                                false,
                                Optional.of(file),
                                Map.of(
                                        "mykit.delay.delivery.topics.g.chanel", "x",
                                        "mykit.delay.delivery.topics.h", "x",
                                        "mykit.delay.delivery.topics.h.channel", "x")),
                        Map.of("MYKIT_DELAY_DELIVERY_TOPICS_I_CHANEL", "x"),
                        new Properties()))
                .withMessageContaining("mykit.delay.delivery.topics.a.chanel = console (from " + file
                        + "): there is no such key; did you mean mykit.delay.delivery.topics.a.channel?")
                .withMessageContaining(
                        "topics.b.colour = console (from " + file + "): there is no such key; known here are channel")
                .withMessageContaining("topics.c =  (from " + file + "): must not be empty")
                .withMessageContaining("topics.d.channel =  (from " + file + "): must not be empty")
                .withMessageContaining("topics.e.channel = console (from " + file
                        + "): could be e.channel, or channel of e; write \"e.channel: {channel: ...}\""
                        + " or \"e: {channel: ...}\"")
                .withMessageContaining("topics.f.channel.name = console (from " + file
                        + "): there is no such key; known here are channel")
                .withMessageContaining("topics.g.chanel = x (from the command line): there is no such key;"
                        + " did you mean mykit.delay.delivery.topics.g.channel? If g.chanel is meant as it is,"
                        + " write mykit.delay.delivery.topics.g.chanel.channel")
                .withMessageContaining("(from the command line): is given twice, also as mykit.delay.delivery.topics.h")
                .withMessageContaining("MYKIT_DELAY_DELIVERY_TOPICS_I_CHANEL = x (from the environment variable"
                        + " MYKIT_DELAY_DELIVERY_TOPICS_I_CHANEL): there is no such key;"
                        + " did you mean MYKIT_DELAY_DELIVERY_TOPICS_I_CHANNEL?");
    }

    @Test
    void topicsByEnvironment() throws Exception {
        Files.writeString(file, "mykit: {delay: {delivery: {topics: {My-Topic: activemq}}}}");

        DeliveryConfig delivery = load(
                        Map.of(
                                "MYKIT_DELAY_DELIVERY_TOPICS_MY_TOPIC", "console",
                                "MYKIT_DELAY_DELIVERY_TOPICS_CES", "console"),
                        Map.of())
                .config()
                .delivery();

        assertThat(ChannelNames.byTopic(delivery)).isEqualTo(Map.of("My-Topic", "console", "ces", "console"));
    }

    @Test
    void anEmptyVariableTakesAnOptionalValueAway() throws Exception {
        Files.writeString(file, "mykit: {delay: {http: {admin-token: t}}}");

        assertThat(load(Map.of("MYKIT_DELAY_HTTP_ADMIN_TOKEN", ""), Map.of())
                        .config()
                        .http()
                        .adminToken())
                .isEmpty();
    }

    @Test
    void unknownKeysAreRefusedWhereverTheyStand() throws Exception {
        Files.writeString(file, "mykit: {delay: {http: {prot: 1}}}\nother: 2");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(
                        new CommandLine(false, false, Optional.of(file), Map.of("http.port", "3")),
                        Map.of("MYKIT_DELAY_QUEUE_NAM", "4", "PATH", "/bin"),
                        properties("mykit.delay.mod", "5")))
                .withMessageContaining("mykit.delay.http.prot = 1 (from " + file + "): there is no such key; "
                        + "did you mean mykit.delay.http.port?")
                .withMessageContaining("other = 2 (from " + file)
                .withMessageContaining("http.port = 3 (from the command line)")
                .withMessageContaining("MYKIT_DELAY_QUEUE_NAM = 4 (from the environment variable "
                        + "MYKIT_DELAY_QUEUE_NAM): there is no such key; did you mean MYKIT_DELAY_QUEUE_NAME?")
                .withMessageContaining("mykit.delay.mod = 5 (from -Dmykit.delay.mod)");
    }

    @Test
    void badValuesAreRefusedAllAtOnce() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of(
                        "mykit.delay.http.port", "http",
                        "mykit.delay.mode", "MASTER_STANDBY",
                        "mykit.delay.queue.name", "",
                        "mykit.delay.delivery.lease", "60")))
                .withMessageContaining("mykit.delay.http.port = http (from the command line): must be a whole number")
                .withMessageContaining("must be one of standalone, master-standby")
                .withMessageContaining("mykit.delay.queue.name =  (from the command line): must not be empty")
                .withMessageContaining("mykit.delay.delivery.lease = 60 (from the command line): must be a duration");
    }

    /** The default stands in for a value that cannot be used, and is no problem itself. */
    @Test
    void problemsOfAllKindsAreShownTogether() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of(
                        "mykit.delay.mode", "cluster",
                        "mykit.delay.queue.horizon", "1 hour",
                        "mykit.delay.recovery.interval", "50m",
                        "mykit.delay.delivery.send-timeout", "soon",
                        "mykit.delay.delivery.lease", "10ms",
                        "mykit.delay.http.port", "99999")))
                .withMessageContaining("mykit.delay.mode = cluster (")
                .withMessageContaining("mykit.delay.queue.horizon = 1 hour (")
                .withMessageContaining("mykit.delay.delivery.send-timeout = soon (")
                .withMessageContaining("mykit.delay.http.port = 99999 (from the command line): must be from 0 to 65535")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(5));
    }

    @Test
    void channelsThatAreNotInstalledAreShownTogether() {
        ChannelCatalog channels = new ChannelCatalog(List.of(new FakeFactory("rocketmq")));
        CommandLine commandLine = new CommandLine(
                false,
                false,
                Optional.empty(),
                Map.of(
                        "mykit.delay.delivery.default-channel", "kafka",
                        "mykit.delay.delivery.topics.a", "rokcetmq",
                        "mykit.delay.delivery.topics.b", "pul",
                        "mykit.delay.delivery.topics.c", "pull",
                        "mykit.delay.http.port", "99999"));
        String line = " (from the command line): this delivery channel is not installed; ";
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(commandLine, Map.of(), new Properties(), channels, true))
                .withMessageContaining("mykit.delay.delivery.default-channel = kafka" + line
                        + "put its jar into plugins/, or use one of pull, rocketmq")
                .withMessageContaining("mykit.delay.delivery.topics.a = rokcetmq" + line + "did you mean rocketmq?")
                .withMessageContaining("mykit.delay.delivery.topics.b = pul" + line + "did you mean pull?")
                .withMessageContaining("mykit.delay.http.port = 99999")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(5));
    }

    @Test
    void secretsAreNotShown() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of(
                        "mykit.delay.redis.uri", "http://:hidden@h",
                        "mykit.delay.datasource.pasword", "hidden",
                        "mykit.delay.datasource.url", "mysql://u:hidden@h/?password=hidden&a=b")))
                .withMessageContaining("mykit.delay.datasource.pasword = ***")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hidden"));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of("mykit.delay.redis.uri", "http://:hidden@h")))
                .withMessageContaining("mykit.delay.redis.uri = ***")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hidden"));
    }

    @Test
    void aFileThatIsNotThereOrNotYaml() throws Exception {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of(), Map.of()))
                .withMessageContaining(file + ": there is no such file");
        Files.writeString(file, "mykit: [\n");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of(), Map.of()))
                .withMessageContaining(file + ": is not YAML")
                .withMessageContaining("line 2");
    }

    @Test
    void aFileInAnotherEncodingIsNamedWithItsLine() throws Exception {
        Files.write(file, "# a\n# b\nmykit: {} # 订单\n".getBytes(Charset.forName("GBK")));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of(), Map.of()))
                .withMessageContaining("the file " + file + " is not UTF-8 (line 3)");
    }

    @Test
    void aFileWithAKeyTwiceOrWithoutKeys() throws Exception {
        Files.writeString(file, "mykit:\n  delay:\n    queue: {name: a}\n    queue: {name: b}\n");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of(), Map.of()))
                .withMessageContaining("duplicate key queue")
                .withMessageContaining("line 4");
        Files.writeString(file, "a text\n");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(Map.of(), Map.of()))
                .withMessageContaining(file + ": has no keys");
    }

    @Test
    void anEmptyFileHasTheDefaults() throws Exception {
        Files.writeString(file, "# nothing\n");
        assertThat(load(Map.of(), Map.of()).config().queue().name()).isEqualTo("mykit-delay");
    }

    @Test
    void valuesKnownLaterReplaceOthers() throws Exception {
        Files.writeString(file, "mykit: {delay: {queue: {name: file}}}");

        DelayConfig config = load(Map.of(), Map.of())
                .with(Map.of("mykit.delay.redis.uri", "redis://h:1"))
                .config();

        assertThat(config.redis().uri().reveal()).isEqualTo("redis://h:1");
        assertThat(config.queue().name()).isEqualTo("file");
    }

    /** The address of an embedded part is no choice of the user. */
    @Test
    void onlyGivenValuesAreChanged() throws Exception {
        Files.writeString(file, "mykit: {delay: {queue: {name: file}, http: {port: 6355}}}");

        LoadedConfig used = load(Map.of(), Map.of()).with(Map.of("mykit.delay.redis.uri", "redis://h:1"));

        assertThat(used.shown()).containsEntry("mykit.delay.redis.uri", "set");
        assertThat(used.changed()).isEqualTo(Map.of("mykit.delay.queue.name", "mykit-delay"));
    }

    private LoadedConfig load(Map<String, String> environment, Map<String, String> settings) {
        return load(new CommandLine(false, false, Optional.of(file), settings), environment, new Properties());
    }

    private static LoadedConfig load(CommandLine commandLine, Map<String, String> environment, Properties properties) {
        return ConfigLoader.load(commandLine, environment, properties, new ChannelCatalog(List.of()));
    }

    private int port(Map<String, String> environment, Map<String, String> system, Map<String, String> settings) {
        Properties properties = new Properties();
        properties.putAll(system);
        return portOf(load(new CommandLine(false, false, Optional.of(file), settings), environment, properties));
    }

    private static int portOf(LoadedConfig loaded) {
        return loaded.config().http().port();
    }

    private static Properties properties(String name, String value) {
        Properties properties = new Properties();
        properties.setProperty(name, value);
        return properties;
    }
}
