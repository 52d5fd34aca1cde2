/** The common part of the two jobs on stored histories: chunks until nothing is left, and a second pass later. */
import { setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import { PAUSE_BETWEEN_PASSES, type PassChunk, type PassesInput } from '../../domain/people/historyPasses.ts';

export interface PassHandlers {
  /** Tells operators what happens to the rows, such as `moved`. */
  participle: string;
  doChunk(isLastPass: boolean, summary: string): Promise<PassChunk>;
  /** Ends this run and continues as new. */
  continueAsNew(next: PassesInput): Promise<never>;
}

/** @returns the total number of rows */
export async function runHistoryPasses(
  input: PassesInput,
  { participle, doChunk, continueAsNew }: PassHandlers,
): Promise<{ rows: number }> {
  let { isLastPass = false, rows = 0 } = input;
  for (;;) {
    const pass = isLastPass ? 'second pass' : 'first pass';
    setCurrentDetails(`${rows} rows ${participle}, ${pass}`);
    const chunk = await doChunk(isLastPass, `${pass}, from row ${rows + 1} on`);
    rows += chunk.rows;
    if (chunk.state === 'over') {
      setCurrentDetails(`${rows} rows ${participle}`);
      return { rows };
    }
    if (chunk.state === 'passed') {
      setCurrentDetails(`${rows} rows ${participle}; checking once more for rows written late`);
      await sleep(PAUSE_BETWEEN_PASSES, { summary: 'Until no more rows can be written late' });
      isLastPass = true;
    }
    if (workflowInfo().continueAsNewSuggested) return continueAsNew({ ...input, isLastPass, rows });
  }
}
