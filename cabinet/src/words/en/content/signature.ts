/** English texts about checking a signature. */

export const signature = {
  title: 'Why does the signature not match?',
  back: 'The webhook',
  about:
    'Paste what your server received. The check runs in this page: neither the secret nor the body leaves your browser.',
  secret: 'Secret',
  headers: 'Headers of the request',
  headersHint: 'One per line; at least X-Core-Timestamp and X-Core-Signature.',
  body: 'Body as your server received it',
  check: 'Check',
  noCrypto: 'Browsers can compute signatures only on pages that are served over https or from this machine.',
  right: 'The signature is valid',
  wrong: 'The signature does not match',
  findings: {
    right:
      'Your server has the right secret and the bytes that were sent. The mistake must be in how it computes the signature.',
    no_signature: 'The headers include neither X-Core-Signature (sha256=…) nor webhook-signature.',
    no_timestamp: 'The headers do not include X-Core-Timestamp, or it is not a number.',
    stale:
      'The timestamp differs from the clock of this browser by more than 300 seconds, so a receiver should refuse it. For an old request that is correct; for a fresh one, check the clock.',
    secret_prefix: 'The beginning of the secret is missing: whsec_ is part of the key.',
    secret_spaces: 'There are spaces or line breaks around the secret.',
    secret_form: 'This is not a webhook secret: a secret is whsec_ followed by 40 letters and digits.',
    body_spaces: 'Spaces or line breaks have been added at the beginning or end of the body.',
    body_rewritten:
      'The body has been parsed and serialised again: its spaces, key order or escapes differ from the bytes that were sent. Use the raw bytes, before any JSON parser.',
    other_delivery: 'The body and the headers belong to different deliveries.',
    other_attempt: 'The body belongs to another attempt: its sent_at is not the time in the headers.',
    wrong_secret:
      'Nothing matches: the secret is a different one, perhaps from before a rotation or from another webhook, or the body has been changed.',
  },
};
