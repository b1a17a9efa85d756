/** The calls of the port by their paths, and who may make them. The event loops of the port call in. */
package io.mykit.delay.grape.route;
