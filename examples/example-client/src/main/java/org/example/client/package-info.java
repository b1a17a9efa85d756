/** An application that pushes messages with a delay, and consumes them by pull. */
package org.example.client;
