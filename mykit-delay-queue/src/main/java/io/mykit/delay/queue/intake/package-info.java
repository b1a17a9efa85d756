/**
 * The way in: {@link io.mykit.delay.queue.intake.MessageIntake} makes one transaction of many pushes, then schedules
 * them. Request threads come in and leave at once; the room's own loop does the work.
 */
package io.mykit.delay.queue.intake;
