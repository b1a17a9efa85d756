/** The record of calls that act, in the store. */
package io.mykit.delay.access.audit;
