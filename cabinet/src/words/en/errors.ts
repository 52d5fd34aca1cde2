/** English texts about errors. */

export const errors = {
  title: 'This did not work',
  retry: 'Try again',
  request: (id: string) => `Request ${id}`,
  network: 'The server does not answer. Check the connection.',
  unknown: 'Something unexpected happened.',
  codes: {
    unauthorized: 'You are not signed in any more.',
    forbidden: 'You may not do this.',
    not_found: 'There is nothing here, or it is not yours to see.',
    request_timeout: 'The request did not arrive in time. Try again.',
    rate_limited: 'Too many requests. Wait a moment.',
    validation_failed: 'Some fields are not right.',
    invalid_request: 'The server did not understand the request.',
    payload_too_large: 'This is larger than allowed.',
    unavailable: 'The service is not available for the moment.',
    internal: 'The server made a mistake. It is in its log.',
  } as Readonly<Record<string, string>>,
};
