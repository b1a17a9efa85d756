/** Errors with a stable word for programs. Only the controller knows HTTP statuses. */
package io.mykit.delay.common.error;
