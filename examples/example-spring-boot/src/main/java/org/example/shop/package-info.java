/** A shop whose orders expire if they are not paid in time. */
package org.example.shop;
