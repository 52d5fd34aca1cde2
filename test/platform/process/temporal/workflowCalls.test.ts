import { describe, expect, it } from '@jest/globals';
import { runsNoWorkflowCode } from '../../../../platform/process/temporal/workflowCalls.ts';

const calling = (name: string, blocked = 0) => ({
  __temporal_args: [{}, name, []],
  __TEMPORAL_ACTIVATOR__: { blockedConditions: new Map(Array.from({ length: blocked }, (_, key) => [key, {}])) },
});

describe('runsNoWorkflowCode', () => {
  it('is true for calls that only move data', () => {
    for (const name of ['initialize', 'concludeActivation', 'dispose', 'tryUnblockConditions'])
      expect(runsNoWorkflowCode(calling(name))).toBe(true);
  });

  it('is false for calls that run code of workflows', () => {
    for (const name of ['initRuntime', 'activate', 'somethingNew'])
      expect(runsNoWorkflowCode(calling(name))).toBe(false);
    expect(runsNoWorkflowCode(calling('tryUnblockConditions', 1))).toBe(false);
  });

  it('is false when the SDK leaves something else in its sandbox', () => {
    expect(runsNoWorkflowCode({})).toBe(false);
    expect(runsNoWorkflowCode({ __temporal_args: [{}, 'tryUnblockConditions', []] })).toBe(false);
  });
});
