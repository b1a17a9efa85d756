/** The values of a configuration as users write them: durations, words, secrets. Stateless; any thread. */
package io.mykit.delay.common.value;
