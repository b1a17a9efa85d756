/**
 * Everything that a run breaks, as processes of their own: two nodes, a ZooKeeper ensemble, Redis, MySQL, a broker, and
 * the wires between a node and its parts. Knows the servers of the harness and the wires.
 */
package io.mykit.delay.test.fault.rig;
