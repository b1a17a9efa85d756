/** What is measured on and with: the servers, their CPU, the load clients, the consumers and the raw ceilings. */
package io.mykit.delay.test.bench.rig;
