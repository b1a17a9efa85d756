/**
 * The calls that show the state of the whole queue: overview, series, work under way, and the configuration.
 *
 * <p>They run on two threads of their own, {@code http-overview}, because many pages ask them at once, and a store may be slow.
 */
package io.mykit.delay.controller.overview;
