/** The equipment of a measurement: the servers, their CPU, the load clients, the consumers and the raw ceilings. */
package io.mykit.delay.test.bench.rig;
