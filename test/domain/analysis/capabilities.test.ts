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
import { PROVIDER_KINDS } from '../../../providers/setup/providerSettings.ts';

it('each capability is used by exactly one step, and a step lists the capability of its own name first', () => {
  expect(STEPS.flatMap(capabilitiesOf)).toEqual(ASKED_CAPABILITIES);
  expect(STEPS.flatMap((step) => capabilitiesOf(step).slice(1))).toEqual(FURTHER_CAPABILITIES);
});

const settings = PROVIDER_CAPABILITIES.map((capability) => capability.toUpperCase());

it.each([
  ['docs/providers.md', `Each capability (${PROVIDER_CAPABILITIES.join(', ')})`],
  ['.env.example', `${settings.slice(0, -1).join(', ')} and ${settings.at(-1)} each have their own …_PROVIDER`],
])('%s lists the capabilities', (file, list) => {
  const text = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
  expect(text.replaceAll('\n# ', ' ')).toContain(list);
});

it('.env.example lists the kinds of providers', () => {
  const text = readFileSync(join(import.meta.dirname, '../../..', '.env.example'), 'utf8');
  const [, kinds = ''] = /…_PROVIDER \(([^)]+)\)/.exec(text) ?? [];
  expect(kinds.split(', ')).toEqual(PROVIDER_KINDS);
});
