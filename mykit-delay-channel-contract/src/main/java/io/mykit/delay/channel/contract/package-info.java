/**
 * The contract suite of delivery channels. The author of a channel extends {@link
 * io.mykit.delay.channel.contract.DeliveryChannelContract} in a test, and says how the channel is opened and how its messages
 * are consumed. Needs JUnit and AssertJ only.
 */
package io.mykit.delay.channel.contract;
