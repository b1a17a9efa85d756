#!/bin/bash
# Ends with 0 if the background loops of the server run. It needs bash and no other program.
set -eu
exec 3<>"/dev/tcp/127.0.0.1/${MYKIT_DELAY_HTTP_PORT:-6355}"
printf 'GET /health/live HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
read -r -t 4 _ status _ <&3
[ "$status" = 200 ]
