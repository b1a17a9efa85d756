/**
 * The context of a trace as the W3C recommendation Trace Context defines it, for all modules. Values only; no threads of its
 * own.
 */
package io.mykit.delay.common.trace;
