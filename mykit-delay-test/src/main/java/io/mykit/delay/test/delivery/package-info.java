/**
 * What every delivery channel has to keep to, and inboxes that collect what arrived on a broker.
 */
package io.mykit.delay.test.delivery;
