/** Payloads as JSON, with Jackson 3 or Jackson 2. Stateless; any thread. */
package io.mykit.delay.spring.payload;
