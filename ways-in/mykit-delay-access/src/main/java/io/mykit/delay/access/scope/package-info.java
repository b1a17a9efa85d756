/**
 * The faces of the engine as callers of one namespace see them: each name that goes in gets the namespace before it, and each that comes out
 * loses it. HTTP and gRPC share it. It adds no threads and holds no state.
 */
package io.mykit.delay.access.scope;
