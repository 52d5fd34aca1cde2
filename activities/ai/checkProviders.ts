/** Checks the analysis providers when the worker starts and when an administrator requests it. */
import type pg from 'pg';
import { storeProviderChecks, takeProviderCheckRequest } from '../../db/installation/providerChecks.ts';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { checkProviders, type CheckedProviders, type CheckResult } from '../../providers/check.ts';

const LOOK_MS = 5_000;

export function checkProvidersOnDemand(pool: pg.Pool, checked: CheckedProviders, logger: Logger): RunningProcess {
  const stopping = new AbortController();
  let isFirst = true;
  const loop = repeat(LOOK_MS, logger, 'checking the providers', async () => {
    // The request is consumed in any case, because this check answers it.
    if (!(await takeProviderCheckRequest(pool)) && !isFirst) return;
    const isDone = await checkProviders(checked, stopping.signal, async (result) => {
      await storeProviderChecks(pool, [result]);
      tell(logger, result);
    }).then(
      () => true,
      (error: unknown) => {
        if (stopping.signal.aborted) return false;
        throw error;
      },
    );
    if (isDone) isFirst = false;
  });
  return {
    close() {
      stopping.abort(new Error('the worker stops'));
      return loop.close();
    },
  };
}

function tell(logger: Logger, { capability, model, state, code, millis }: CheckResult): void {
  if (state === 'fails') logger.warn({ capability, model, code, millis }, 'an analysis provider does not work');
  else if (state === 'works') logger.info({ capability, model, millis }, 'an analysis provider works');
}
