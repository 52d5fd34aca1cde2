/** English texts about checking a signature. */

export const signature = {
  title: 'Why does the signature not match?',
  back: 'The webhook',
  about:
    'Paste what your server has received. It is compared in this page: neither the secret nor the body leaves your browser.',
  secret: 'Secret',
  headers: 'Headers of the request',
  headersHint: 'Each on a line of its own; X-Core-Timestamp and X-Core-Signature at least.',
  body: 'Body as your server has it',
  check: 'Check',
  noCrypto: 'Browsers compute signatures only on pages that came over https or from this machine.',
  right: 'The signature is right',
  wrong: 'The signature does not match',
  findings: {
    right:
      'Your server has the right secret and the bytes that were sent. Its own computation must differ somewhere else.',
    no_signature: 'There is no X-Core-Signature (sha256=…) and no webhook-signature among the headers.',
    no_timestamp: 'There is no X-Core-Timestamp among the headers, or it is not a number.',
    stale:
      'The timestamp is more than 300 seconds from the clock of this browser: a check in time would refuse it. For a request of earlier on that is as it should be; for a fresh one, set the clock.',
    secret_prefix: 'The secret lacks its beginning: whsec_ is a part of the key.',
    secret_spaces: 'There are spaces or line breaks around the secret.',
    secret_form: 'This is no secret of a webhook: one is whsec_ and 40 letters and digits.',
    body_spaces: 'The body has gained spaces or line breaks at its beginning or end.',
    body_rewritten:
      'The body has been parsed and written again: its spaces, its order or its escapes differ from the bytes that were sent. Take the raw bytes, before any JSON parser.',
    other_delivery: 'The body is that of another delivery than the headers.',
    other_attempt: 'The body is that of another attempt: its sent_at is not the time in the headers.',
    wrong_secret:
      'Nothing fits: the secret is another one, perhaps from before a rotation or of another webhook, or the body has been changed.',
  },
};
