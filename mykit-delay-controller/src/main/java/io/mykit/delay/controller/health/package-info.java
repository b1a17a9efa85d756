/**
 * The calls about the state of the server. They have their own threads, {@code http-health} and {@code http-status}, so
 * they work while all other calls wait.
 */
package io.mykit.delay.controller.health;
