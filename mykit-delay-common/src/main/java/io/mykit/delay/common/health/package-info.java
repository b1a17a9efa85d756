/** What a part says about itself; put together by the controller into {@code /health}. */
package io.mykit.delay.common.health;
