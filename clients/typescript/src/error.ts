/** One field's fault, as `details` of an error lists it. */
export interface ErrorDetail {
  field: string;
  code: string;
  message?: string;
}

interface ErrorBody {
  error: { code: string; message: string; details?: ErrorDetail[] };
}

/** A response other than 2xx. A connection that fails rejects with the error of `fetch` instead. */
export class AttuneError extends Error {
  override readonly name = 'AttuneError';
  readonly status: number;
  /** `not_found`, `validation_failed` and so on; `unknown` when a proxy answered instead of the service. */
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  /** Names the request in the service's log. */
  readonly requestId: string | null;
  /** Seconds that the service asks to wait; null when it does not. */
  readonly retryAfter: number | null;

  constructor(response: Response, body: unknown) {
    const error = isErrorBody(body) ? body.error : null;
    super(error ? `${response.status} ${error.code}: ${error.message}` : `${response.status} ${response.statusText}`);
    this.status = response.status;
    this.code = error?.code ?? 'unknown';
    this.details = error?.details ?? [];
    this.requestId = response.headers.get('X-Request-ID');
    this.retryAfter = retryAfterOf(response);
  }
}

/** Seconds; null when the header is absent or a date. */
export function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

function isErrorBody(body: unknown): body is ErrorBody {
  const error = (body as Partial<ErrorBody> | null)?.error;
  return (
    typeof error === 'object' && error !== null && typeof error.code === 'string' && typeof error.message === 'string'
  );
}
