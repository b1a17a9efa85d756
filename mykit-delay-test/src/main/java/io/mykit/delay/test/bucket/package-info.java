/** What every bucket index has to do, whatever kind of Redis is behind it. */
package io.mykit.delay.test.bucket;
