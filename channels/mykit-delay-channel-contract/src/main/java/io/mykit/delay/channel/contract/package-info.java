/**
 * The contract suite of delivery channels. The author of a channel extends
 * {@link io.mykit.delay.channel.contract.DeliveryChannelContract} in a test, and implements how the channel is opened and
 * how its messages are consumed. The suite needs only JUnit and AssertJ.
 */
package io.mykit.delay.channel.contract;
