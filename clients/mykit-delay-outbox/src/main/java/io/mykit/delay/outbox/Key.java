package io.mykit.delay.outbox;

/** A business key of a topic. */
record Key(String topic, String bizKey) {}
