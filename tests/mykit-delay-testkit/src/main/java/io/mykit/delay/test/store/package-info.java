/** The contract of the message store, to be run against every database that it supports. */
package io.mykit.delay.test.store;
