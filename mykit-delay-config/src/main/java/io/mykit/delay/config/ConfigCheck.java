package io.mykit.delay.config;

import static io.mykit.delay.config.ConfigKeys.ROOT;

import io.mykit.delay.common.value.DurationParser;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks what a type cannot express: ranges, and values that exclude each other. Each channel checks its own section. For
 * one thread.
 */
final class ConfigCheck {
    private static final int MAX_BODY = 256 * 1024 * 1024;
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration FOREVER = Duration.ofDays(3650);
    private static final Pattern KEY_PART = Pattern.compile("[A-Za-z0-9._-]{1,100}");
    /** Prefix and name, with one character in between, have to fit into a column of the database. */
    private static final int MAX_IDENTITY = 127;

    private static final Pattern SERVERS = Pattern.compile("[^\\s,:/]+(:\\d{1,5})?(,[^\\s,:/]+(:\\d{1,5})?)*(/\\S*)?");
    private static final Pattern HOSTS = Pattern.compile("[A-Za-z0-9._-]{1,253}(\\s*,\\s*[A-Za-z0-9._-]{1,253})*");
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");
    private static final Pattern MASK = Pattern.compile("[A-Za-z0-9._-]{1,64}\\*?(\\s*,\\s*[A-Za-z0-9._-]{1,64}\\*?)*");
    private static final String TOPIC_PATTERN = "(\\s*(\\*|[^,*\\s]([^,*]{0,126}[^,*\\s])?\\*?)\\s*)";
    private static final Pattern TOPICS = Pattern.compile(TOPIC_PATTERN + "(," + TOPIC_PATTERN + ")*");
    private static final Pattern REQUESTS = Pattern.compile("off|errors|all|sample:[1-9]\\d{0,8}");
    private static final Pattern REDIS_URI =
            Pattern.compile("embedded|(redis|rediss|redis-sentinel|redis-cluster)://\\S+");

    private final DelayConfig config;
    private final Problems problems;

    ConfigCheck(DelayConfig config, Problems problems) {
        this.config = config;
        this.problems = problems;
    }

    void run() {
        stop(config.stop(), config.http().drain());
        http(config.http());
        stores(config.redis(), config.datasource());
        queue(config.queue(), config.intake());
        delivery(config.delivery());
        PolicyCheck.run(config.delivery(), problems);
        pull(config.pull());
        recovery(config.recovery());
        retention(config.retention());
        registry(config.registry());
        config.console()
                .mask()
                .ifPresent(names -> matches(
                        "console.mask",
                        names,
                        MASK,
                        "must be names, separated by commas, each with a * at most at its end: password,token,card*"));
        metrics(config.metrics());
        log(config.log());
        TracingCheck.run(config.tracing(), problems);
        if (config.mode() == DelayConfig.Mode.MASTER_STANDBY) {
            masterStandby();
        }
    }

    private void stop(StopConfig stop, Optional<Duration> drain) {
        range("stop.timeout", stop.timeout(), Duration.ofSeconds(15), Duration.ofMinutes(15));
        Duration least = StopTimes.forDrain(drain.orElse(Duration.ZERO));
        if (stop.timeout().compareTo(least) < 0) {
            problems.add(
                    ROOT + ".stop.timeout",
                    DurationParser.format(stop.timeout()),
                    "must be at least " + DurationParser.format(least) + ": 10s more than " + ROOT + ".http.drain");
        }
    }

    private void http(HttpConfig http) {
        range("http.port", http.port(), 0, 65_535);
        config.grpcApi().port().ifPresent(port -> range("grpc-api.port", port, 0, 65_535));
        range("http.max-body-size", http.maxBodySize(), 1024, MAX_BODY);
        TlsCheck.run(http.tls(), problems);
        http.allowedHosts().ifPresent(this::allowedHosts);
        range("http.max-batch-size", http.maxBatchSize(), 1024, MAX_BODY);
        ConfigWarnings.tokens(http)
                .forEach((key, token) -> token.ifPresent(secret -> matches(
                        "http." + key,
                        secret.reveal(),
                        TOKEN,
                        "must have printable ASCII characters only, without blanks: clients send it in a header")));
        http.drain().ifPresent(drain -> range("http.drain", drain, Duration.ZERO, Duration.ofMinutes(1)));
    }

    private void allowedHosts(String hosts) {
        matches(
                "http.allowed-hosts",
                hosts,
                HOSTS,
                "must be names without a port, separated by commas: delay.example.org,delay");
    }

    private void stores(RedisConfig redis, DatasourceConfig datasource) {
        matches(
                "redis.uri",
                redis.uri().reveal(),
                REDIS_URI,
                "must be embedded, redis://[:password@]host:port/db, "
                        + "rediss://..., redis-sentinel://h1,h2/master/db or redis-cluster://h1:p,h2:p");
        range("redis.timeout", redis.timeout(), SHORT, LONG);
        range("redis.max-connections", redis.maxConnections(), 1, 1000);
        matches(
                "datasource.url",
                datasource.url(),
                Pattern.compile("embedded|jdbc:\\w+:\\S+"),
                "must be embedded or jdbc:mysql://host:port/database");
        range("datasource.max-active", datasource.maxActive(), 1, 1000);
        range("datasource.timeout", datasource.timeout(), Duration.ofMillis(100), LONG);
    }

    private void queue(QueueConfig queue, IntakeConfig intake) {
        String keyPart = "must be 1 to 100 of A-Z a-z 0-9 . _ -: it becomes part of every Redis key";
        matches("queue.prefix", queue.prefix(), KEY_PART, keyPart);
        matches("queue.name", queue.name(), KEY_PART, keyPart);
        if (queue.prefix().length() + queue.name().length() > MAX_IDENTITY) {
            problems.add(
                    ROOT + ".queue.prefix",
                    queue.prefix(),
                    "must be at most " + MAX_IDENTITY + " characters together with " + ROOT + ".queue.name");
        }
        range("queue.buckets", queue.buckets(), 1, 1024);
        if (!queue.horizon().isZero()) {
            range("queue.horizon", queue.horizon(), Duration.ofSeconds(5), FOREVER);
            atLeast(
                    "queue.horizon",
                    queue.horizon(),
                    3,
                    "recovery.interval",
                    config.recovery().interval());
        }
        range("queue.scan-batch", queue.scanBatch(), 1, 10_000);
        range("queue.idle-poll", queue.idlePoll(), SHORT, LONG);
        range("queue.scan-pause", queue.scanPause(), Duration.ZERO, Duration.ofMillis(100));
        range("intake.queue-limit", intake.queueLimit(), 1, 10_000_000);
        range("intake.batch-limit", intake.batchLimit(), 1, 10_000);
        range("intake.lanes", intake.lanes(), 0, 8);
        range("intake.linger", intake.linger(), Duration.ZERO, Duration.ofMillis(100));
    }

    private void delivery(DeliveryConfig delivery) {
        present("delivery.default-channel", Optional.of(delivery.defaultChannel()), "must name a channel");
        range("delivery.batch-size", delivery.batchSize(), 1, 10_000);
        range("delivery.threads", delivery.threads(), 1, 512);
        range("delivery.max-attempts", delivery.maxAttempts(), 0, Integer.MAX_VALUE);
        range("delivery.send-timeout", delivery.sendTimeout(), SHORT, LONG);
        range("delivery.lease", delivery.lease(), SHORT, HOUR);
        // If a lease ends while its batch is still being sent, a second sender gets the batch.
        atLeast("delivery.lease", delivery.lease(), 5, "delivery.send-timeout", delivery.sendTimeout());
        range("delivery.retry-min", delivery.retryMin(), SHORT, HOUR);
        range("delivery.retry-max", delivery.retryMax(), SHORT, Duration.ofDays(1));
        atLeast("delivery.retry-max", delivery.retryMax(), 1, "delivery.retry-min", delivery.retryMin());
    }

    private void pull(PullConfig pull) {
        range("pull.ttr", pull.ttr(), Duration.ofSeconds(1), Duration.ofDays(1));
        range("pull.max-waiting", pull.maxWaiting(), 1, 1_000_000);
        range("pull.max-wait", pull.maxWait(), Duration.ZERO, HOUR);
        range("pull.warn-ready", pull.warnReady(), 0, Integer.MAX_VALUE);
    }

    private void recovery(RecoveryConfig recovery) {
        range("recovery.interval", recovery.interval(), SHORT, HOUR);
        range("recovery.grace", recovery.grace(), Duration.ZERO, Duration.ofDays(1));
        range("recovery.page-size", recovery.pageSize(), 1, 100_000);
    }

    private void retention(RetentionConfig retention) {
        Duration least = Duration.ofMinutes(1);
        range("retention.keep", retention.keep(), least, FOREVER);
        range("retention.keep-failed", retention.keepFailed(), least, FOREVER);
        range("retention.audit", retention.audit(), least, FOREVER);
        range("retention.batch-size", retention.batchSize(), 1, 500);
        range("retention.rate", retention.rate(), 1, 100_000);
    }

    private void registry(RegistryConfig registry) {
        range("registry.session-timeout", registry.sessionTimeout(), Duration.ofSeconds(1), LONG);
        if (!registry.unfitAfter().isZero()) {
            range("registry.unfit-after", registry.unfitAfter(), Duration.ofSeconds(2), HOUR);
        }
        matches(
                "registry.namespace",
                registry.namespace(),
                Pattern.compile("[^/\\s][^\\s]*[^/\\s]|[^/\\s]"),
                "must be a path without / at either end");
        registry.serverList()
                .ifPresent(servers ->
                        matches("registry.server-list", servers, SERVERS, "must be host:port,host:port,..."));
    }

    private void metrics(MetricsConfig metrics) {
        range("metrics.max-topics", metrics.maxTopics(), 1, 2000);
        metrics.topics()
                .ifPresent(
                        topics -> matches(
                                "metrics.topics",
                                topics,
                                TOPICS,
                                "must be names of topics, separated by commas, each with a * at most at its end: orders,shop/*"));
        int named = ConfiguredTopics.named(metrics).size();
        if (named > metrics.maxTopics()) {
            problems.add(
                    ROOT + ".metrics.max-topics",
                    metrics.maxTopics(),
                    "must be at least " + named + ": " + ROOT + ".metrics.topics has so many whole names");
        }
    }

    private void log(LogConfig log) {
        range("log.max-size", log.maxSize(), 64 * 1024, Integer.MAX_VALUE);
        range("log.max-files", log.maxFiles(), 1, 1000);
        matches("log.requests", log.requests(), REQUESTS, "must be off, errors, all or sample:<n>, as in sample:100");
    }

    private void masterStandby() {
        present(
                "registry.server-list",
                config.registry().serverList(),
                "is needed in master-standby: host:port,host:port,...");
        String shared = "must be named in master-standby: an embedded one cannot be shared between the nodes";
        if (config.redis().uri().reveal().equals(RedisConfig.EMBEDDED)) {
            problems.add(ROOT + ".redis.uri", RedisConfig.EMBEDDED, shared);
        }
        if (config.datasource().url().equals(DatasourceConfig.EMBEDDED)) {
            problems.add(ROOT + ".datasource.url", DatasourceConfig.EMBEDDED, shared);
        }
    }

    private void range(String key, int value, int min, int max) {
        if (value < min || value > max) {
            problems.add(ROOT + "." + key, value, "must be from " + min + " to " + max);
        }
    }

    private void range(String key, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            List<String> bounds = List.of(DurationParser.format(min), DurationParser.format(max));
            problems.add(ROOT + "." + key, DurationParser.format(value), "must be from " + String.join(" to ", bounds));
        }
    }

    private void atLeast(String key, Duration value, int times, String otherKey, Duration other) {
        if (!problems.isAside(ROOT + "." + otherKey) && value.compareTo(other.multipliedBy(times)) < 0) {
            String factor = times == 1 ? "" : times + " times ";
            problems.add(
                    ROOT + "." + key,
                    DurationParser.format(value),
                    "must be at least " + factor + ROOT + "." + otherKey + " (" + DurationParser.format(other) + ")");
        }
    }

    private void matches(String key, String value, Pattern pattern, String allowed) {
        if (!pattern.matcher(value).matches()) {
            problems.add(ROOT + "." + key, value, allowed);
        }
    }

    private void present(String key, Optional<String> value, String allowed) {
        if (value.filter(text -> !text.isBlank()).isEmpty()) {
            problems.add(ROOT + "." + key, "", allowed);
        }
    }
}
