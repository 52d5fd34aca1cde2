import type { DeliveryErrorCode } from '../../domain/webhooks/deliveryStates.ts';

/** Codes are chosen where the error is thrown; `connection` in dial.ts and deadline.ts. */
export type OutgoingErrorCode =
  | 'timeout'
  | 'connection'
  | 'tls'
  | 'dns'
  | 'forbidden_address'
  | 'http_status'
  | 'redirect'
  | 'too_large'
  | 'invalid_url';

const PHRASES: Record<OutgoingErrorCode, string> = {
  timeout: 'no complete answer in time',
  connection: 'could not connect, or the connection broke',
  tls: 'secure connection not established',
  dns: 'host name does not resolve',
  forbidden_address: 'the address is not allowed',
  http_status: 'unexpected answer status',
  redirect: 'the answer was a redirect',
  too_large: 'the answer is larger than allowed',
  invalid_url: 'the address is not valid',
};

/** Code names of Node and OpenSSL that tell users what to fix in a certificate. */
const TLS_DETAILS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate chain ends in an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate chain is incomplete or its authority unknown',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate chain is incomplete or its authority unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate chain is incomplete or its authority unknown',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};

/**
 * The only error of outgoing requests. Its text may be shown to users and stored in journals and workflow histories, so
 * it is built only from fixed phrases and system code names: never from another error's message (those contain resolved
 * addresses and certificate names), and without a `cause`.
 */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly code: OutgoingErrorCode;
  /** Status of the response, for `http_status` and `redirect`. */
  readonly status: number | null;
  /** Code name of the system error, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
  readonly detail: string | null;

  constructor(code: OutgoingErrorCode, options: { status?: number; detail?: string } = {}) {
    const detail = options.detail === undefined ? options.status : (TLS_DETAILS[options.detail] ?? options.detail);
    super(detail === undefined ? PHRASES[code] : `${PHRASES[code]}: ${detail}`);
    this.code = code;
    this.status = options.status ?? null;
    this.detail = options.detail ?? null;
  }
}

/** Checks by name instead of instanceof: the error may come from another copy of this module or another realm. */
export function isOutgoingError(error: unknown): error is OutgoingError {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'OutgoingError';
}

/** Converts any error of an outgoing request to an OutgoingError; one that is already is returned unchanged. */
export function toOutgoingError(error: unknown, code: OutgoingErrorCode): OutgoingError {
  if (isOutgoingError(error)) return error;
  const detail = codeNameOf(error);
  return new OutgoingError(code, detail === undefined ? {} : { detail });
}

/**
 * Returns the journal's code. An invalid address has the code `forbidden_address`, whose documented meaning includes
 * "is written invalidly".
 */
export function deliveryErrorCode(error: OutgoingError): DeliveryErrorCode {
  if (error.code === 'invalid_url') return 'forbidden_address';
  return error.code === 'too_large' ? 'connection' : error.code;
}

/** Returns a code name of a known form (ECONNREFUSED, UND_ERR_SOCKET): these contain no address. */
function codeNameOf(error: unknown): string | undefined {
  const name = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof name === 'string' && /^[A-Z][A-Z0-9_]{2,63}$/.test(name) ? name : undefined;
}
