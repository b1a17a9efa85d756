/** Wires that can be cut: TCP proxies between a node and its parts. Knows nobody. */
package io.mykit.delay.test.fault.network;
