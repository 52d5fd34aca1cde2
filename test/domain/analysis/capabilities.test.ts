import { expect, it } from '@jest/globals';
import { loadConfig } from '../../../config.ts';
import {
  ASKED_CAPABILITIES,
  capabilitiesOf,
  FURTHER_CAPABILITIES,
  PROVIDER_CAPABILITIES,
} from '../../../domain/analysis/capabilities.ts';
import { STEPS } from '../../../domain/analysis/steps.ts';
import { MODELS } from '../../../providers/builtin/modelVersions.ts';
import { PROVIDER_KINDS } from '../../../providers/setup/providerSettings.ts';
import { readText } from '../../ops/support/compose.ts';
import { settingsRead } from '../../ops/support/settings.ts';

it('each capability is used by exactly one step, and a step lists the capability of its own name first', () => {
  expect(STEPS.flatMap(capabilitiesOf)).toEqual(ASKED_CAPABILITIES);
  expect(STEPS.flatMap((step) => capabilitiesOf(step).slice(1))).toEqual(FURTHER_CAPABILITIES);
});

const settings = PROVIDER_CAPABILITIES.map((capability) => capability.toUpperCase());

it.each([
  ['docs/providers.md', `Each capability (${PROVIDER_CAPABILITIES.join(', ')})`],
  ['.env.example', `${settings.slice(0, -1).join(', ')} and ${settings.at(-1)} each have their own …_PROVIDER`],
])('%s lists the capabilities', (file, list) => {
  expect(readText(file).replaceAll('\n# ', ' ')).toContain(list);
});

it('.env.example lists the kinds of providers', () => {
  const [, kinds = ''] = /…_PROVIDER \(([^)]+)\)/.exec(readText('.env.example')) ?? [];
  expect(kinds.split(', ')).toEqual(PROVIDER_KINDS);
});

it('docs/providers.md names the limits that only some capabilities have', () => {
  const ofCapability = [...settingsRead()].filter((name) => settings.some((prefix) => name.startsWith(`${prefix}_`)));
  const limits = ofCapability.filter((name) => /_(BATCH_SIZE|CONTEXT_TOKENS|PIECE_SECONDS)$/.test(name));
  expect(limits.length).toBeGreaterThan(5);
  expect(limits.filter((name) => !readText('docs/providers.md').includes(`\`${name}\``))).toEqual([]);
});

/** Returns the capabilities that get a kind of provider if none is chosen. */
function unchosen(kind: string, given: Record<string, string> = {}): string[] {
  const needed = {
    DATABASE_URL: 'postgres://x@localhost/x',
    SECRET_KEY: 'x'.repeat(32),
    PUBLIC_URL: 'https://x.example',
  };
  const { capabilities } = loadConfig({ ...needed, ...given });
  return PROVIDER_CAPABILITIES.filter((capability) => capabilities[capability].kind === kind);
}

// Otherwise an existing key would switch a new capability on, and every result would be computed and paid for again.
it('a capability that the built-in provider lacks is off unless it is chosen, even with a common key', () => {
  expect(unchosen('builtin')).toEqual(Object.keys(MODELS));
  expect(unchosen('openai', { OPENAI_API_KEY: 'sk' })).toEqual(Object.keys(MODELS));
});

const ALL = PROVIDER_CAPABILITIES.length;

it.each([
  ['docs/configuration.md', 'the built-in provider does everything'],
  ['.env.example', 'the built-in provider analyses everything'],
  ['docs/providers.md', "the built-in one, any server with OpenAI's interface, or none"],
])('%s says that the built-in provider does everything only if it does', (file, sentence) => {
  expect(readText(file).includes(sentence)).toBe(unchosen('builtin').length === ALL);
});

it('docs/configuration.md says that each capability uses the common server only if each does', () => {
  const sentence = 'each capability with a setting `…_PROVIDER` uses that server';
  const isTrue = unchosen('openai', { OPENAI_API_KEY: 'sk' }).length === ALL;
  expect(readText('docs/configuration.md').includes(sentence)).toBe(isTrue);
});
