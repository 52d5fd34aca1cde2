/** A trial that says nothing about its layers never leads to weaker ones. */
import { describe, expect, it } from '@jest/globals';
import {
  strongestLayers,
  InconclusiveTrialError,
  type Layer,
} from '../../../../platform/process/decoders/confinement.ts';

const systemError = (code: string) => Object.assign(new Error(code), { code });

/** Fails the trials with these layers; the others succeed. */
const failing = (faults: Record<string, unknown>) => async (layers: readonly Layer[]) => {
  const fault = faults[layers.join('+')];
  if (fault !== undefined) throw fault;
};

describe('the layers of a confinement', () => {
  it('are the strongest that the machine does not refuse', async () => {
    const trial = failing({
      'namespaces+user+files': new Error('refused'),
      'namespaces+user': systemError('ENOENT'),
      'namespaces+files': systemError('EPERM'),
    });
    expect(await strongestLayers(trial, true)).toEqual(['namespaces']);
    expect(await strongestLayers(trial, false)).toEqual(['namespaces']);
  });

  it.each([
    ['took too long', new InconclusiveTrialError('timeout')],
    ['had no space', systemError('ENOSPC')],
    ['could not start a process', systemError('EAGAIN')],
    ['had no memory', systemError('ENOMEM')],
  ])('are unknown after a trial that %s', async (_, fault) => {
    expect(await strongestLayers(failing({ 'namespaces+user+files': fault }), true)).toBeNull();
    const second = { 'namespaces+user+files': new Error('refused'), 'namespaces+user': fault };
    expect(await strongestLayers(failing(second), true)).toBeNull();
  });
});
