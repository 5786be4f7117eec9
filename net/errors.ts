/** Why a call got no answer. `code` is stable and part of what the API shows of a delivery. */
export interface CallError {
  readonly code:
    | 'invalid_url'
    | 'forbidden_address'
    | 'invalid_request'
    | 'timeout'
    | 'dns_error'
    | 'connection_refused'
    | 'connection_reset'
    | 'unreachable'
    | 'tls_error'
    | 'invalid_response'
    | 'connection_error';
  readonly message: string;
}

/** First match wins. The patterns match Node's error codes. Messages contain no addresses. */
const KINDS: readonly (readonly [pattern: RegExp, code: CallError['code'], message: string])[] = [
  [/^ETIMEDOUT$/, 'timeout', 'The host did not accept the connection in time.'],
  [/^ECONNREFUSED$/, 'connection_refused', 'The host refused the connection.'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'connection_reset', 'The connection was closed before the answer was complete.'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'unreachable', 'There is no way to the host.'],
  [/^HPE_/, 'invalid_response', 'The answer is not HTTP.'],
  [
    /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_OSSL)/,
    'tls_error',
    'No secure connection could be made.',
  ],
  [/^ERR_(INVALID|HTTP|UNESCAPED)_/, 'invalid_request', 'The request cannot be sent as it is.'],
];

/** Converts an error of Node's network layers. */
export function callError(error: unknown): CallError {
  const { code = '', syscall = '', message = '' } = error as NodeJS.ErrnoException;
  if (code === 'forbidden_address') return { code, message };
  if (/^(getaddrinfo|query)/.test(syscall)) return { code: 'dns_error', message: `The host's name could not be resolved (${code}).` };
  const kind = KINDS.find(([pattern]) => pattern.test(code));
  if (kind === undefined) return { code: 'connection_error', message: `The call failed${code === '' ? '' : ` (${code})`}.` };
  return { code: kind[1], message: `${kind[2]} (${code})` };
}
