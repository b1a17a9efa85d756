/** Jobs: produced, consumed, and changed by their ids. The event loops of the port call in; what blocks runs on workers. */
package io.mykit.delay.grape.job;
