/** Comparing words, so that an error can name the one that was probably meant. Pure functions. */
package io.mykit.delay.common.text;
