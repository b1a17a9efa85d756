/**
 * The configuration: one mapping per concern, read by {@link io.mykit.delay.config.ConfigLoader}.
 *
 * <p>Everybody else gets the mapping of its own concern and never sees where a value came from. Every key is explained
 * in {@code application.yml}; a test holds the two against each other.
 */
package io.mykit.delay.config;
