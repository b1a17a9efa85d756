package io.mykit.delay.kafka;

import io.mykit.delay.common.value.Secret;

/** How an account is shown to the broker. */
enum Mechanism {
    PLAIN("PLAIN", "org.apache.kafka.common.security.plain.PlainLoginModule"),
    SCRAM_SHA_256("SCRAM-SHA-256", "org.apache.kafka.common.security.scram.ScramLoginModule"),
    SCRAM_SHA_512("SCRAM-SHA-512", "org.apache.kafka.common.security.scram.ScramLoginModule");

    private final String word;
    private final String module;

    Mechanism(String word, String module) {
        this.word = word;
        this.module = module;
    }

    /** As Kafka calls it. */
    String word() {
        return word;
    }

    /** The line with which the client library logs in. It holds the password. */
    String login(String username, Secret password) {
        return module + " required username=" + quoted(username) + " password=" + quoted(password.reveal()) + ";";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
