/** Comparison of words: an error about an unknown name suggests a known one. Pure functions. */
package io.mykit.delay.common.text;
