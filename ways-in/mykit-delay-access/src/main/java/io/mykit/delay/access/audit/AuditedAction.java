package io.mykit.delay.access.audit;

/**
 * A call that is recorded; see {@link io.mykit.delay.queue.store.AuditRow}. Texts that are too long are cut.
 *
 * @param detail its parameters, without bodies and secrets
 */
public record AuditedAction(String actor, String address, String action, String object, String detail) {}
