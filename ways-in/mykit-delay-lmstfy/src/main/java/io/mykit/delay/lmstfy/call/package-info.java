/**
 * The numbers in requests of lmstfy's API, and the texts of its refusals. Any thread may use its classes.
 */
package io.mykit.delay.lmstfy.call;
