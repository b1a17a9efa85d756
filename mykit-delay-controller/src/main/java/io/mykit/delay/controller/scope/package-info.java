/**
 * What callers of one namespace may call: a table of the routes, handlers over the faces of that namespace, and the view as its callers see
 * it. Event loops come in; nothing here blocks or adds threads.
 */
package io.mykit.delay.controller.scope;
