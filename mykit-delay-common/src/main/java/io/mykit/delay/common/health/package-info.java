/** Health of the parts of the server. The controller combines the reports into {@code /health}. */
package io.mykit.delay.common.health;
