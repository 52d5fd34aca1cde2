/**
 * The log of every process: one JSON object per line on stdout. A field that more than one process writes has the same
 * name everywhere (LogFields), so that a request can be followed into its workflow.
 */
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Shared field names. A line of the intake has requestId; the relay's has both ids. */
export interface LogFields {
  requestId?: string;
  workflowId?: string;
  projectId?: string;
  itemId?: string;
  deliveryId?: string;
}

/** Names under which a secret could slip into a log object, at the top or one level down. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'apiKey',
  'key',
  'token',
  'secretKey',
  'databaseUrl',
];
const MAX_CAUSES = 4;

/**
 * Creates a logger.
 * @param service name of the process, in every line
 * @param destination where lines are written; stdout by default; tests pass another one
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { err: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

export interface ErrorDescription {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: ErrorDescription;
}

/**
 * Returns the fields of an error that are logged. Only these: drivers attach row values (`detail`), statements and
 * whole requests to their errors.
 */
export function describeError(error: unknown, causesLeft = MAX_CAUSES): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && causesLeft > 0 && { cause: describeError(error.cause, causesLeft - 1) }),
  };
}
