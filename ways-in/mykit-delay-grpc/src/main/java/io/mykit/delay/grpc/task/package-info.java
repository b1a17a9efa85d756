/** The calls about tasks: a task is a push whose destination is its own. */
package io.mykit.delay.grpc.task;
