/** Contracts that each index passes, on every kind of Redis. */
package io.mykit.delay.test.bucket;
