/**
 * Consumers of real brokers, as the contract suite of delivery channels needs them, and the configuration of a channel under test.
 */
package io.mykit.delay.test.delivery;
