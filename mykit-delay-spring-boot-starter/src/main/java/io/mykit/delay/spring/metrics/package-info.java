/** The timer of the listeners. The only package that knows Micrometer. */
package io.mykit.delay.spring.metrics;
