/** Secrets in the fragment of an address, which browsers do not send to servers. */

/**
 * Removes a secret from the address, so that neither the history nor a screenshot contains it.
 * @param form of the whole fragment, with the secret as its first group
 */
export function takeSecret(form: RegExp): string | null {
  const [, secret] = form.exec(location.hash) ?? [];
  if (secret === undefined) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return secret;
}
