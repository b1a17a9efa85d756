#!/bin/bash
# Ends with 0 if GET /health/live answers 200: the background loops of the server run. health.sh ready asks /health/ready.
# It needs bash; for a port with TLS also openssl. The certificate of the server is not checked: the server is this machine.
# If clients need a certificate (http.tls.client-ca), MYKIT_DELAY_PROBE_CERTIFICATE and MYKIT_DELAY_PROBE_KEY are files with one.
set -eu
# A port that cuts a connection off makes a write fail, and not this script.
trap '' PIPE
port=${MYKIT_DELAY_HTTP_PORT:-6355}
request="GET /health/${1:-live} HTTP/1.0\r\nHost: localhost\r\n\r\n"

plain() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf '%b' "$request" >&3
    read -r -t 2 _ status _ <&3
}

secure() {
    own=()
    [ -z "${MYKIT_DELAY_PROBE_CERTIFICATE:-}" ] || own=(-cert "$MYKIT_DELAY_PROBE_CERTIFICATE" -key "$MYKIT_DELAY_PROBE_KEY")
    read -r -t 4 _ status _ < <(printf '%b' "$request" | openssl s_client -quiet -connect "127.0.0.1:$port" "${own[@]}" 2>/dev/null)
}

# A port with TLS cuts plain text off at once.
status=
plain 2>/dev/null || secure
[ "$status" = 200 ]
