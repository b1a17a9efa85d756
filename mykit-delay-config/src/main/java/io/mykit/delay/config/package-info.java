/**
 * The configuration: one mapping per concern, read by {@link io.mykit.delay.config.ConfigLoader}.
 *
 * <p>Each part of the server gets the mapping of its own concern and does not know the origin of a value.
 * {@code application.yml} explains every key; a test compares it with the mappings.
 */
package io.mykit.delay.config;
