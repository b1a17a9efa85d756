/** The values of a configuration as users write them: durations, words, secrets, values by topic. Any thread. */
package io.mykit.delay.common.value;
