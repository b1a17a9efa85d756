/** Errors with a stable word for programs. HTTP statuses are the controller's business and not known here. */
package io.mykit.delay.common.error;
