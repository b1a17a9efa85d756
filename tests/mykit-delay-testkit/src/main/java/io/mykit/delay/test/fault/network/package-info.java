/** Wires that can be cut: TCP proxies between a node and its parts. The package uses no other. */
package io.mykit.delay.test.fault.network;
