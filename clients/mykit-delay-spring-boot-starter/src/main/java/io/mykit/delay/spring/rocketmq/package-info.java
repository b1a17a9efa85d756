/** Producers of RocketMQ that are beans, with their delayed messages sent through mykit-delay. */
package io.mykit.delay.spring.rocketmq;
