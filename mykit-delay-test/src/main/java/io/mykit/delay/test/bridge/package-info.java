/**
 * The bridge in this JVM, on a real store and a real index, with a channel that a test can script: for looking at what
 * intake, scan, dispatch and recovery do when a delivery goes this way or that.
 */
package io.mykit.delay.test.bridge;
