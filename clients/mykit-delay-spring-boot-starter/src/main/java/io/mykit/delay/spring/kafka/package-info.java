/** The producer factories of an application, with the interceptor of mykit-delay. It knows spring-kafka, and runs at start only. */
package io.mykit.delay.spring.kafka;
