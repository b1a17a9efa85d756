package io.mykit.delay.test.fault.history;

/** A row of the table of dead letters at the end. */
public record Dead(String id, String topic, String reason, int attempts) {}
