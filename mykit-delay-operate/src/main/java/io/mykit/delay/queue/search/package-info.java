/**
 * Searches of people: messages by id, status, due time, topic and business key, within bounded time. A search goes along an index
 * of the database. Where no index serves it, it walks along the due times and says how far it came. Request threads call it.
 */
package io.mykit.delay.queue.search;
