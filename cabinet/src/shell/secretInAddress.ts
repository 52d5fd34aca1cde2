/** Secrets in the fragment of an address, which browsers do not send to servers. */

/**
 * Removes a secret from the address, so that neither the history nor a screenshot contains it.
 * @param form matches the whole fragment; its first group is the secret
 */
export function takeSecret(form: RegExp): string | null {
  const [, secret] = form.exec(location.hash) ?? [];
  if (secret === undefined) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return secret;
}
