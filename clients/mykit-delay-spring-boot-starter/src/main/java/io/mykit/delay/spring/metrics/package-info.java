/** The timer of the listeners, by Micrometer. */
package io.mykit.delay.spring.metrics;
