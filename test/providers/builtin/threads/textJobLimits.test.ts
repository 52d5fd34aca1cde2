import { describe, expect, it } from '@jest/globals';
import { throwTextFault } from '../../../../providers/builtin/threads/textJobLimits.ts';
import {
  ThreadCpuLimitError,
  ThreadDiedError,
  ThreadJobError,
  ThreadTimeoutError,
} from '../../../../providers/builtin/threads/thread.ts';

describe('throwTextFault', () => {
  it.each([
    ['too much work for any machine', new ThreadCpuLimitError('late'), 'permanent', 'text_too_complex'],
    ['a machine that is too busy', new ThreadTimeoutError('late'), 'retryable', 'analysis_interrupted'],
    ['a thread that ended', new ThreadDiedError('ended'), 'retryable', 'analysis_interrupted'],
    ['an error of the analysis', new ThreadJobError('broken'), 'permanent', 'text_analysis_failed'],
  ])('answers %s', (_, error, kind, code) => {
    expect(() => throwTextFault(error)).toThrow(expect.objectContaining({ name: 'ProviderError', kind, code }));
  });

  it('rethrows the reason of an aborted call', () => {
    const reason = new Error('cancelled');
    expect(() => throwTextFault(reason)).toThrow(reason);
  });
});
