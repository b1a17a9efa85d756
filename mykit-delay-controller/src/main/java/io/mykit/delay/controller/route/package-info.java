/**
 * The calls that there are: methods, path and the callers that each is for. Each package with handlers contributes its
 * routes as a list; {@link io.mykit.delay.controller.route.Routes} finds the one of a request.
 */
package io.mykit.delay.controller.route;
