/**
 * The bridge in this JVM, on a real store and a real index, with a channel that a test can script: for tests of
 * intake, scan, dispatch and recovery with every outcome of a delivery.
 */
package io.mykit.delay.test.bridge;
