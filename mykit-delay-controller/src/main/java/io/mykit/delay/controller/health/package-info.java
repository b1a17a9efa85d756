/**
 * The calls that tell how the server is. They have threads of their own, {@code http-health} and {@code http-status}, so
 * that they are answered while all other calls wait.
 */
package io.mykit.delay.controller.health;
