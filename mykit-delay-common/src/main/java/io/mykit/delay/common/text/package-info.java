/** Comparison of words: an error about an unknown name suggests a known one. Text of a client as one line of a log. Pure functions. */
package io.mykit.delay.common.text;
