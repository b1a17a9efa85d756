package io.mykit.delay.config;

import static io.mykit.delay.config.ConfigKeys.ROOT;

import java.util.Optional;
import java.util.regex.Pattern;

/** Credentials and certificates of the channels: halves of pairs, and TLS settings without TLS. */
final class CredentialCheck {
    /** The separator of RocketMQ is %. Its topics have at most 127 characters, the namespace included. */
    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private static final Pattern TLS_URL = Pattern.compile("(?i).*\\b(ssl|nio\\+ssl|auto\\+ssl|wss|https)://.*");

    private final DelayConfig config;
    private final Problems problems;

    CredentialCheck(DelayConfig config, Problems problems) {
        this.config = config;
        this.problems = problems;
    }

    void run() {
        RocketMqConfig rocketMq = config.rocketmq();
        pair("rocketmq.access-key", rocketMq.accessKey(), "rocketmq.secret-key", rocketMq.secretKey());
        rocketMq.namespace()
                .filter(namespace -> !NAMESPACE.matcher(namespace).matches())
                .ifPresent(namespace ->
                        problems.add(ROOT + ".rocketmq.namespace", namespace, "must be 1 to 64 of A-Z a-z 0-9 _ -"));
        stores("rocketmq", rocketMq, rocketMq.tls(), ROOT + ".rocketmq.tls = true");
        if (!rocketMq.tls() && !rocketMq.tlsVerifyHost()) {
            onlyWithTls("rocketmq.tls-verify-host", "false", ROOT + ".rocketmq.tls = true");
        }
        ActiveMqConfig activeMq = config.activemq();
        boolean tls = TLS_URL.matcher(activeMq.brokerUrl()).matches();
        stores("activemq", activeMq, tls, "a " + ROOT + ".activemq.broker-url with ssl://");
    }

    private void pair(String nameKey, Optional<String> name, String secretKey, Optional<Secret> secret) {
        String together = "must be set together with ";
        if (name.isPresent() && secret.isEmpty()) {
            problems.add(ROOT + "." + nameKey, name.get(), together + ROOT + "." + secretKey + ", which is missing");
        }
        if (secret.isPresent() && name.isEmpty()) {
            problems.add(ROOT + "." + secretKey, "***", together + ROOT + "." + nameKey + ", which is missing");
        }
    }

    private void stores(String section, TlsStores stores, boolean tls, String needed) {
        if (!tls) {
            stores.trustStore().ifPresent(file -> onlyWithTls(section + ".trust-store", file, needed));
            stores.keyStore().ifPresent(file -> onlyWithTls(section + ".key-store", file, needed));
        }
        passwordOfNothing(section + ".trust-store", stores.trustStore().isPresent(), stores.trustStorePassword());
        passwordOfNothing(section + ".key-store", stores.keyStore().isPresent(), stores.keyStorePassword());
    }

    /** A connection would be made in the clear although its certificates were thought of. */
    private void onlyWithTls(String key, Object value, String needed) {
        problems.add(ROOT + "." + key, value, "is used with " + needed + " only: set that, or leave this out");
    }

    private void passwordOfNothing(String key, boolean hasFile, Optional<Secret> password) {
        if (password.isPresent() && !hasFile) {
            problems.add(ROOT + "." + key + "-password", "***", "needs " + ROOT + "." + key + ", which is missing");
        }
    }
}
