/**
 * Checks whether a URL may be saved as a webhook's: its form, and the addresses that its name currently resolves to.
 */
import type { AddressRules } from '../../../platform/outgoing/forbiddenAddresses.ts';
import { isOutgoingError } from '../../../platform/outgoing/errors.ts';
import type { Resolve } from '../../../platform/outgoing/resolve.ts';
import { checkWebhookUrl, portOf } from '../../../platform/outgoing/url.ts';
import { vetTarget } from '../../../platform/outgoing/vet.ts';
import type { CheckWebhookUrl } from '../cabinetOperation.ts';

const RESOLVE_TIMEOUT_MS = 3_000;

/**
 * A name that does not resolve, or not in time, is accepted: it may be set up later, and every connection is checked
 * again.
 */
export function createWebhookUrlCheck(rules: AddressRules, resolve: Resolve): CheckWebhookUrl {
  return async (text) => {
    const verdict = checkWebhookUrl(text, rules);
    if (!verdict.ok) return verdict.reason;
    const { url } = verdict;
    const target = { protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ''), port: portOf(url) };
    const vetted = vetTarget(target, { rules, allowHttp: false, resolve }).then(
      () => null,
      (error: unknown) =>
        isOutgoingError(error) && error.code === 'forbidden_address' ? ('forbidden_address' as const) : null,
    );
    return Promise.race([vetted, nullAfter(RESOLVE_TIMEOUT_MS)]);
  };
}

function nullAfter(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });
}
