/** Checks the analysis providers when the worker starts and when an administrator requests it. */
import type pg from 'pg';
import { storeProviderChecks, takeProviderCheckRequest } from '../../db/installation/providerChecks.ts';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { repeat } from '../../platform/process/concurrency/repeat.ts';
import { checkProviders, type CheckedProviders, type CheckResult } from '../../providers/setup/check.ts';

const POLL_MS = 5_000;

/**
 * Starts a check at once and again on each request. A request ends a check that is still running, because a server
 * that hangs may delay it for an hour.
 */
export function checkProvidersOnDemand(pool: pg.Pool, checked: CheckedProviders, logger: Logger): RunningProcess {
  let isDue = true;
  let check: RunningProcess | null = null;
  const loop = repeat(POLL_MS, logger, 'looking for a request to check the providers', async () => {
    // A request is consumed even if a check is due anyway, because this check answers it.
    if (!(await takeProviderCheckRequest(pool)) && !isDue) return;
    isDue = false;
    await check?.close();
    check = startCheck(pool, checked, logger, () => (isDue = true));
  });
  return {
    async close() {
      await loop.close();
      await check?.close();
    },
  };
}

/** @param onFailure called if a result could not be stored */
function startCheck(pool: pg.Pool, checked: CheckedProviders, logger: Logger, onFailure: () => void): RunningProcess {
  const stopping = new AbortController();
  const done = checkProviders(checked, stopping.signal, async (result) => {
    await storeProviderChecks(pool, [result]);
    logResult(logger, result);
  }).catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    logger.warn({ err: error }, 'checking the providers failed');
    onFailure();
  });
  return {
    close() {
      stopping.abort(new Error('the check is no longer needed'));
      return done;
    },
  };
}

function logResult(logger: Logger, { capability, model, state, code, millis }: CheckResult): void {
  if (state === 'fails') logger.warn({ capability, model, code, millis }, 'an analysis provider does not work');
  else if (state === 'works') logger.info({ capability, model, millis }, 'an analysis provider works');
}
