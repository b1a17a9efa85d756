/** A small HTTP client of the delay bridge, as a producer or operator would write it. */
package io.mykit.delay.test.client;
