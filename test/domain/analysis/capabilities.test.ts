import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import {
  ASKED_CAPABILITIES,
  capabilitiesOf,
  FURTHER_CAPABILITIES,
  PROVIDER_CAPABILITIES,
} from '../../../domain/analysis/capabilities.ts';
import { STEPS } from '../../../domain/analysis/steps.ts';

it('each capability is used by exactly one step, and a step lists the capability of its own name first', () => {
  expect(STEPS.flatMap(capabilitiesOf)).toEqual(ASKED_CAPABILITIES);
  expect(STEPS.flatMap((step) => capabilitiesOf(step).slice(1))).toEqual(FURTHER_CAPABILITIES);
});

it('docs/providers.md lists the capabilities', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/providers.md'), 'utf8');
  expect(text).toContain(`Each capability (${PROVIDER_CAPABILITIES.join(', ')})`);
});
