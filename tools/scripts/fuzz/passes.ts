/** The passes over each API; together they reach the handlers' own code as well as the checks before it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TargetApi } from './existing.ts';

export interface Pass {
  title: string;
  /** APIs for which the pass would add nothing. */
  without?: readonly TargetApi['name'][];
  /** Arguments of the command line. */
  args: readonly string[];
  /** Returns the content of the configuration file. */
  config(api: TargetApi): Promise<string>;
}

/** This exclusion always applies: the fuzzer would find its own token in the list of tokens and revoke it. */
const ALWAYS = '/tokens/{id}';

async function common({ name, existing }: TargetApi): Promise<string> {
  const files = await Promise.all(
    ['common', name].map((file) => readFile(join(import.meta.dirname, `${file}.toml`), 'utf8')),
  );
  const id = existing[ALWAYS];
  return [...files, ...(id === undefined ? [] : [parameterOf([ALWAYS, id])])].join('\n');
}

/** No schema says that NUL is refused in every text, so only one pass sends it. */
const WITHOUT_NUL = ['--generation-allow-x00', 'false'];

/** Turns an entry of the target's `existing` into a table of the configuration. */
function parameterOf([place, id]: [string, string]): string {
  const [, name] = /\{(\w+)\}$/.exec(place) ?? [];
  const pattern = (place.startsWith('/') ? `^${place}` : place).replaceAll(/[{}]/g, '\\$&');
  return `[[operations]]\ninclude-path-regex = '${pattern}'\nparameters = { "path.${name}" = ${JSON.stringify(id)} }\n`;
}

export const PASSES: readonly Pass[] = [
  {
    // Ids that the fuzzer invents do not exist: without this pass most requests would end with 404.
    title: 'on existing objects',
    // The intake has no ids in its addresses.
    without: ['collect'],
    // This pass is first, because the next one deletes what it finds. DELETE is excluded, so that the existing objects
    // stay; testWebhook is excluded, because each test would wait 12 s for an outcome: no worker runs here.
    args: [
      ...WITHOUT_NUL,
      '--phases',
      'coverage,fuzzing',
      '--exclude-method',
      'DELETE',
      '--exclude-operation-id',
      'testWebhook',
    ],
    config: async (api) => `${await common(api)}\n${Object.entries(api.existing).map(parameterOf).join('\n')}`,
  },
  { title: 'as described', args: WITHOUT_NUL, config: common },
  {
    title: 'texts with NUL',
    args: [
      '--phases',
      'fuzzing',
      '--mode',
      'positive',
      '--exclude-checks',
      'unsupported_method,positive_data_acceptance',
    ],
    config: common,
  },
];
