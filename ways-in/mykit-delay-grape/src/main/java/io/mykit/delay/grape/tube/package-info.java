/** Tubes: which exist, how they are made, shown and dropped. The event loops of the port call in; what blocks runs on workers. */
package io.mykit.delay.grape.tube;
