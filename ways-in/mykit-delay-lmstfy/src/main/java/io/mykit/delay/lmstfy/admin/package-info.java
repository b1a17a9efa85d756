/** The calls of the admin port: tokens, and what shows the queues. The event loops of the port call in; what blocks runs on workers. */
package io.mykit.delay.lmstfy.admin;
