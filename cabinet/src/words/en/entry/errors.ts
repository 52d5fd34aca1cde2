/** English texts about errors. */

export const errors = {
  title: 'Something went wrong',
  retry: 'Try again',
  signIn: 'Sign in again in a new tab',
  request: (id: string) => `Request ${id}`,
  wait: (span: string) => `Wait ${span} before you try again.`,
  network: 'The server does not answer. Check the connection.',
  unknown: 'Something unexpected happened.',
  codes: {
    unauthorized: 'You are no longer signed in.',
    forbidden: 'You are not allowed to do this.',
    not_found: 'There is nothing here, or you do not have access to it.',
    request_timeout: 'The request did not arrive in time. Try again.',
    rate_limited: 'Too many requests. Wait a moment.',
    validation_failed: 'Some fields are not filled in correctly.',
    invalid_request: 'The server did not understand the request.',
    payload_too_large: 'This is larger than allowed.',
    unavailable: 'The service is not available at the moment.',
    internal: 'The server had an error. Its log has the details.',
  } as Readonly<Record<string, string>>,
};
