/**
 * The calls that find messages, and that move their due times. They block on {@code http-worker} threads; the searches bound
 * themselves.
 */
package io.mykit.delay.controller.search;
