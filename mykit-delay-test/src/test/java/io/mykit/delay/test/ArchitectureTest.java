package io.mykit.delay.test;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The structure of the code: which packages may use each other, and which libraries belong to one package. */
class ArchitectureTest {
    private static final String ROOT = "io.mykit.delay.";
    /** Each imports only those before it. */
    private static final List<String> MODULES = List.of(
            "common",
            "channel",
            "config",
            "queue",
            "json",
            "access",
            "ports",
            "console",
            "controller",
            "grpc",
            "ingest",
            "lmstfy",
            "grape",
            "core",
            "test");
    /** Each imports the SPI and its imports, and no module imports them. */
    private static final List<String> GUESTS =
            List.of("rocketmq", "kafka", "rabbitmq", "activemq", "console", "webhook", "grpc", "contract");

    /** It runs in applications: it imports no module, and no module imports it. */
    private static final String CLIENT = "client";

    /** They stand before the client libraries of brokers in applications, and only the starter imports them. */
    private static final String[] PRODUCERS = {
        ROOT + CLIENT + ".rocketmq..", ROOT + CLIENT + ".jms..", ROOT + CLIENT + ".kafka.."
    };

    /** It runs in applications: it imports the client, and only the starter imports it. */
    private static final String OUTBOX = "outbox";

    /** It runs in applications with Spring Boot: it imports the client and what sits on it, and no module imports it. */
    private static final String STARTER = "spring";

    /** It implements an SPI of the queue: it imports the modules up to the queue, and no module imports it. */
    private static final String TRACING = "tracing";

    private static final int MAX_LINES = 450;
    private static final int MAX_METHOD_LINES = 60;
    private static final double MAX_PERCENT = 30;

    private static final String SPI = ROOT + "channel";
    /** What the channels share that call hosts. */
    private static final String HOSTS = SPI + ".hosts..";
    /** What the channel and the ingest of Kafka share. */
    private static final String KAFKA = ROOT + "kafka..";

    /** What other modules see of the engine: the entrance, its faces, and what goes in and comes out of them. */
    private static final Set<String> EXPORTED = Stream.of(
                    "", ".producer", ".consumer", ".operator", ".delivery", ".state", ".series", ".trace")
            .map(name -> ROOT + "queue" + name)
            .collect(Collectors.toSet());

    private static final int MAX_EXPORTED = 60;

    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPaths(Modules.withSources().stream().map(Modules::classes).toList());

    @Test
    void everyModuleWithSourcesWasRead() throws IOException {
        Set<String> read = HOUSE.stream()
                .map(type -> type.getPackageName().substring(ROOT.length()).replaceAll("\\..*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> written = new TreeSet<>();
        for (Path module : Modules.withSources()) {
            Path house = Modules.sources(module).resolve(ROOT.replace('.', '/'));
            Modules.files(house, Modules::isJava)
                    .forEach(file ->
                            written.add(house.relativize(file).getName(0).toString()));
        }
        assertThat(read).isEqualTo(written).contains("common", "channel", "config", "queue", "test");
        assertThat(List.of("test.server", "test.bench", "test.fault"))
                .allSatisfy(house ->
                        assertThat(HOUSE.containPackage(ROOT + house)).as(house).isTrue());
        assertThat(GUESTS).allSatisfy(guest -> assertThat(HOUSE.containPackage(ROOT + "channel." + guest))
                .as(guest)
                .isTrue());
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(HOUSE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "common",
                "channel",
                "config",
                "queue",
                "json",
                "access",
                "ports",
                "console",
                "controller",
                "grpc",
                "ingest",
                "lmstfy",
                "grape",
                "core"
            })
    void modulesKnowOnlyThoseBeforeThem(String module) {
        String[] later = MODULES.subList(MODULES.indexOf(module) + 1, MODULES.size()).stream()
                .map(name -> ROOT + name + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(later)
                .allowEmptyShould(true)
                .check(HOUSE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rocketmq", "kafka", "rabbitmq", "activemq", "console", "webhook", "grpc", "contract"})
    void aChannelKnowsTheSpiAndNoOtherPart(String guest) {
        String own = ROOT + "channel." + guest + "..";
        noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(resideInAPackage("io.mykit.delay..")
                        .and(not(resideInAnyPackage(
                                own, ROOT + "common..", SPI, SPI + ".bounded", SPI + ".tls", HOSTS, KAFKA))))
                .check(HOUSE);
        noClasses()
                .that()
                .resideOutsideOfPackages(own, ROOT + "test..", ROOT + "core.embedded..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(own)
                .check(HOUSE);
    }

    @Test
    void whatChannelsShareKnowsTheSpiAndIsKnownToChannelsAlone() {
        noClasses()
                .that()
                .resideInAPackage(HOSTS)
                .should()
                .dependOnClassesThat(resideInAPackage("io.mykit.delay..")
                        .and(not(resideInAnyPackage(HOSTS, ROOT + "common..", SPI, SPI + ".tls"))))
                .check(HOUSE);
        noClasses()
                .that()
                .resideOutsideOfPackages(HOSTS, SPI + ".webhook..", SPI + ".grpc..", ROOT + "test..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(HOSTS)
                .check(HOUSE);
    }

    @Test
    void whatTheClientsOfKafkaShareKnowsTheSpiAndIsKnownToThemAlone() {
        noClasses()
                .that()
                .resideInAPackage(KAFKA)
                .should()
                .dependOnClassesThat(resideInAPackage("io.mykit.delay..")
                        .and(not(resideInAnyPackage(KAFKA, ROOT + "common..", SPI, SPI + ".tls"))))
                .check(HOUSE);
        noClasses()
                .that()
                .resideOutsideOfPackages(KAFKA, SPI + ".kafka..", ROOT + "ingest..", ROOT + "test..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(KAFKA)
                .check(HOUSE);
    }

    /** Each sees the entrance of the engine; what two of them need is in a room below both. */
    @Test
    void theWaysInDoNotKnowEachOther() {
        String[] others = {ROOT + "controller..", ROOT + "console..", ROOT + "queue.operate..", "io.vertx.."};
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "grpc..", ROOT + "ingest..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .check(HOUSE);
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "lmstfy..", ROOT + "grape..", ROOT + "ports..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        ROOT + "controller..",
                        ROOT + "console..",
                        ROOT + "json.push..",
                        ROOT + "grpc..",
                        ROOT + "ingest..")
                .check(HOUSE);
        noClasses()
                .that()
                .resideInAPackage(ROOT + "grape..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "lmstfy..")
                .check(HOUSE);
        noClasses()
                .that()
                .resideInAPackage(ROOT + "ingest..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        ROOT + "grpc..",
                        ROOT + "lmstfy..",
                        ROOT + "grape..",
                        ROOT + "ports..",
                        ROOT + "access..",
                        ROOT + "queue.consumer..",
                        ROOT + "queue.operator..")
                .check(HOUSE);
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "ingest..", ROOT + "core..", ROOT + "test..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "ingest..")
                .check(HOUSE);
    }

    @Test
    void theConsoleIsFilesAndNeedsAJdk() {
        classes()
                .that()
                .resideInAPackage(ROOT + "console..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(ROOT + "console..", "java..")
                .check(HOUSE);
    }

    @Test
    void theClientNeedsAJdkAndNothingElse() {
        classes()
                .that()
                .resideInAPackage(ROOT + CLIENT + "..")
                .and()
                .resideOutsideOfPackages(PRODUCERS)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        ROOT + CLIENT, ROOT + CLIENT + ".json..", "java..", "javax.crypto..", "javax.net.ssl..")
                .check(HOUSE);
        noClasses()
                .that()
                .resideInAPackage(ROOT + CLIENT + "..")
                .and()
                .resideOutsideOfPackages(PRODUCERS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.lang.reflect..", "java.util.logging..")
                .check(HOUSE);
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        ROOT + CLIENT + "..", ROOT + OUTBOX + "..", ROOT + STARTER + "..", ROOT + "test..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + CLIENT + "..")
                .check(HOUSE);
    }

    @ParameterizedTest
    @CsvSource({
        "rocketmq, org.apache.rocketmq.., org.apache.commons.codec..",
        "jms,      jakarta.jms..,         jakarta.jms..",
        "kafka,    org.apache.kafka..,    org.apache.kafka.."
    })
    void aProducerOfABrokerNeedsTheClientAndItsLibraries(String broker, String library, String another) {
        classes()
                .that()
                .resideInAPackage(ROOT + CLIENT + "." + broker + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(ROOT + CLIENT + "." + broker + "..", ROOT + CLIENT, library, another, "java..")
                .check(HOUSE);
    }

    @Test
    void theOutboxNeedsTheClientAndJdbc() {
        classes()
                .that()
                .resideInAPackage(ROOT + OUTBOX + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(ROOT + OUTBOX + "..", ROOT + CLIENT, "java..", "javax.sql..")
                .check(HOUSE);
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + OUTBOX + "..", ROOT + STARTER + "..", ROOT + "test..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + OUTBOX + "..")
                .check(HOUSE);
    }

    @Test
    void theStarterKnowsTheClientAndWhatSitsOnItAndNoOtherPart() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + STARTER + "..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.mykit.delay..")
                        .and(not(resideInAnyPackage(ROOT + STARTER + "..", ROOT + CLIENT, ROOT + OUTBOX)))
                        .and(not(resideInAnyPackage(PRODUCERS))))
                .check(HOUSE);
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + STARTER + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + STARTER + "..", "org.springframework..")
                .check(HOUSE);
    }

    @Test
    void tracingKnowsTheQueueAndIsKnownToNoModule() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + TRACING + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + "console..", ROOT + "controller..", ROOT + "core..", ROOT + "test..")
                .check(HOUSE);
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + TRACING + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + TRACING + "..")
                .check(HOUSE);
    }

    /** The tests of the whole may look inside. */
    @Test
    void theEngineHasOneEntrance() {
        Set<String> engine = Modules.withSources().stream()
                .filter(module -> Modules.name(module).equals("queue"))
                .flatMap(module -> Modules.files(Modules.sources(module), Modules::isJava).stream()
                        .map(file -> Modules.sources(module)
                                .relativize(file.getParent())
                                .toString()
                                .replace('/', '.')))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(engine).containsAll(EXPORTED).hasSizeGreaterThan(2 * EXPORTED.size());
        String[] inside =
                engine.stream().filter(name -> !EXPORTED.contains(name)).toArray(String[]::new);
        noClasses()
                .that(not(resideInAnyPackage(engine.toArray(String[]::new)).or(resideInAPackage(ROOT + "test.."))))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(inside)
                .check(HOUSE);
    }

    /** Nested types count too. */
    @Test
    void theEntranceIsSmall() {
        assertThat(HOUSE.stream()
                        .filter(type -> EXPORTED.contains(type.getPackageName()))
                        .filter(ArchitectureTest::isVisible)
                        .map(JavaClass::getName))
                .contains(ROOT + "queue.DelayQueue")
                .hasSizeLessThanOrEqualTo(MAX_EXPORTED);
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isVisible).orElse(true);
    }

    /** In the code of the modules that serve all channels alike; a default is a value. */
    @ParameterizedTest
    @ValueSource(strings = {"config", "queue", "controller", "core"})
    void noChannelIsCalledByItsName(String part) throws IOException {
        Pattern name = Pattern.compile("(?i)rocketmq|rabbitmq|activemq|\"kafka\"|\"console\"|\"webhook\"|\"grpc\"");
        String house = "io/mykit/delay/" + part + "/";
        assertThat(sources(file -> file.toString().contains(house))
                        .filter(file -> !file.getParent().endsWith("core/embedded")))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Files.readString(file).replace("@WithDefault(\"activemq\")", ""))
                        .as(file.toString())
                        .doesNotContainPattern(name));
    }

    @Test
    void onlyTheClusterClockReadsTheWallClock() {
        DescribedPredicate<JavaAccess<?>> wallClock = reads(System.class, "currentTimeMillis")
                .or(reads(Clock.class, "system.*|tick(Millis|Seconds|Minutes)"))
                .or(reads(InstantSource.class, "system"))
                .or(reads(Date.class, "<init>"))
                .or(nowOf("java\\.time\\..*"))
                .as("the wall clock");
        noClasses()
                .that()
                // Clients run in applications, which have no cluster clock.
                .resideOutsideOfPackages(ROOT + "common.time..", ROOT + CLIENT + "..", ROOT + "test..")
                // A channel sees no cluster clock, and this one signs the time of its requests.
                .and()
                .doNotHaveSimpleName("WebhookChannelFactory")
                .should(accessTargetWhere(wallClock))
                .check(HOUSE);
        // The rule sees such accesses: it finds the allowed one.
        classes()
                .that()
                .haveSimpleName("ClusterClock")
                .should(accessTargetWhere(wallClock))
                .check(HOUSE);
    }

    @ParameterizedTest
    @CsvSource({
        "redis.clients..,         queue.redis.. | core.embedded.. | test..",
        "org.apache.ibatis..,     queue.store..",
        "com.alibaba.druid..,     queue.store..",
        "org.flywaydb..,          queue.store..",
        "org.sqlite..,            queue.store.. | core.embedded..",
        "org.apache.curator..,    queue.leader..",
        "org.apache.zookeeper..,  queue.leader.. | test..",
        "com.fasterxml..,         json.. | spring.payload..",
        "tools.jackson..,         spring.payload..",
        "org.springframework.web.., spring.callback..",
        "org.springframework.transaction.., spring.transaction.. | spring.outbox..",
        "org.springframework.jdbc.., spring.outbox..",
        "com.alibaba.fastjson2.., controller.reply.. | queue.options.. | queue.overview.. | channel.activemq.. |"
                + " test..",
        "io.vertx.core.net..,     controller.http.. | ports.http.. | channel.hosts.. | test..",
        "org.apache.rocketmq..,   channel.rocketmq.. | client.rocketmq.. | spring.rocketmq.. | test..",
        "com.rabbitmq..,          channel.rabbitmq.. | test..",
        "org.apache.kafka..,      kafka.. | channel.kafka.. | ingest.kafka.. | client.kafka.. | spring.kafka.. | test..",
        "org.apache.activemq..,   channel.activemq.. | core.embedded.. | test..",
        "org.junit..,             channel.contract.. | test..",
        "io.grpc..,               grpc.. | test..",
        "com.google.protobuf..,   grpc.. | test..",
        "io.mykit.delay.v1..,     grpc.. | test..",
        "io.opentelemetry..,      tracing..",
        "io.vertx..,              controller.. | ports.http.. | channel.hosts.. | channel.webhook.. | channel.grpc.. | test.."
    })
    void onlyItsOwnRoomKnows(String library, String rooms) {
        String[] allowed = Stream.of(rooms.split("\\|", -1))
                .map(room -> ROOT + room.strip())
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideOutsideOfPackages(allowed)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(HOUSE);
    }

    /** A handler gets its call, and its package contributes routes; all the rest of HTTP is beyond it. */
    @ParameterizedTest
    @ValueSource(strings = {"push", "message", "operate", "health"})
    void handlersKnowNeitherTheListenerNorEachOther(String handlers) {
        String[] others = Stream.of("http", "guard", "push", "message", "operate", "health")
                .filter(name -> !name.equals(handlers))
                .map(name -> ROOT + "controller." + name + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(ROOT + "controller." + handlers + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .check(HOUSE);
    }

    @Test
    void classesOfAPackageHaveNoCycles() {
        assertThat(ClassCycles.of(HOUSE)).isEmpty();
        // The rule sees two classes that are known to need each other.
        assertThat(ClassCycles.of(new ClassFileImporter().importClasses(String.class, StringBuilder.class)))
                .isEqualTo(Map.of("java.lang", Set.of("String", "StringBuilder")));
    }

    @Test
    void namesSayWhatAThingIs() {
        noClasses()
                .should()
                .haveNameMatching(".*\\.[^.]*(Util|Impl|Manager|Helper|Wrapper)[^.]*")
                .check(HOUSE);
    }

    @Test
    void packagesAreNamedAfterWhatLivesThere() {
        noClasses()
                .should()
                .resideInAnyPackage(
                        Stream.of("util", "utils", "impl", "manager", "managers", "helper", "helpers", "wrapper")
                                .map(name -> "io.mykit.delay.." + name + "..")
                                .toArray(String[]::new))
                .check(HOUSE);
    }

    @Test
    void everyPackageSaysWhatItIsFor() {
        assertThat(sources(file -> true).map(Path::getParent).distinct())
                .hasSizeGreaterThan(50)
                .allSatisfy(directory ->
                        assertThat(directory.resolve("package-info.java")).exists());
    }

    /** A small limit for files makes chips of classes; the limit for methods keeps them readable. */
    @Test
    void aProductionFileHasAtMost450Lines() throws IOException {
        assertThat(filesLongerThan(MAX_LINES)).isEmpty();
        // The rule counts: some file is longer than one line.
        assertThat(filesLongerThan(1)).isNotEmpty();
    }

    @Test
    void aMethodHasAtMost60Lines() throws IOException {
        assertThat(MethodLengths.longerThan(
                        MAX_METHOD_LINES, sources(file -> true).toList()))
                .isEmpty();
    }

    /** A module that grows beyond it has rooms that want to be modules. */
    @Test
    void noModuleHoldsMoreThan30PercentOfTheHouse() throws IOException {
        Map<String, Long> lines = new TreeMap<>();
        for (Path module : shipped().toList()) {
            for (Path file : Modules.files(Modules.sources(module), Modules::isJava)) {
                lines.merge(Modules.name(module), Modules.lines(file), Long::sum);
            }
        }
        long house = lines.values().stream().mapToLong(Long::longValue).sum();
        assertThat(lines).allSatisfy((module, own) -> assertThat(100.0 * own / house)
                .as("%s in percent of %d lines", module, house)
                .isLessThanOrEqualTo(MAX_PERCENT));
    }

    /** The Java and Lua files of all modules that are longer, with their lines. The test house may have longer ones. */
    private static Map<Path, Long> filesLongerThan(long limit) throws IOException {
        Map<Path, Long> longer = new TreeMap<>();
        for (Path module : shipped().toList()) {
            for (Path file : Modules.files(
                    module.resolve("src/main"), path -> path.toString().matches(".*\\.(java|lua)"))) {
                longer.put(file, Modules.lines(file));
            }
        }
        longer.values().removeIf(lines -> lines <= limit);
        return longer;
    }

    /** The Java files of all modules but those of the test house. */
    private static Stream<Path> sources(Predicate<Path> wanted) {
        return shipped()
                .flatMap(module -> Modules.files(Modules.sources(module), Modules::isJava).stream())
                .filter(wanted);
    }

    private static Stream<Path> shipped() {
        return Modules.withSources().stream().filter(Modules::isShipped);
    }

    private static DescribedPredicate<JavaAccess<?>> reads(Class<?> owner, String member) {
        return targetOwner(equivalentTo(owner))
                .and(target(nameMatching(member)))
                .forSubtype();
    }

    private static DescribedPredicate<JavaAccess<?>> nowOf(String owners) {
        return targetOwner(nameMatching(owners)).and(target(name("now"))).forSubtype();
    }
}
