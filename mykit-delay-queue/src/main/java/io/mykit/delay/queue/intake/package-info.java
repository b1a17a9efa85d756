/**
 * The entry for pushes. {@link io.mykit.delay.queue.intake.MessageIntake} stores many pushes in one transaction, and
 * then schedules them. Request threads submit pushes and return at once. The lanes of the intake write the pushes,
 * and the threads of {@link io.mykit.delay.queue.intake.ReplaceLane} write the replacements.
 */
package io.mykit.delay.queue.intake;
