/** Values as people write them in a configuration: durations, words, secrets. Stateless; any thread. */
package io.mykit.delay.common.value;
