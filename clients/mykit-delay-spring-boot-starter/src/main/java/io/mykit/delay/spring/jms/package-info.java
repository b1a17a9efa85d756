/**
 * The connection factories of an application, with the one of mykit-delay before them. It knows the client for JMS, and Spring's factories if
 * they are there. It runs at start only.
 */
package io.mykit.delay.spring.jms;
