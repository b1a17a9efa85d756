/**
 * The calls: methods, path and allowed callers of each. Each package with handlers contributes a list of routes.
 * {@link io.mykit.delay.controller.route.Routes} finds the route of a request.
 */
package io.mykit.delay.controller.route;
