/** The runs over each API; together they reach the handlers' own work as well as what stands before it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TargetApi } from './target.ts';

const CONFIG = join(import.meta.dirname, 'schemathesis.toml');

export interface Pass {
  title: string;
  /** Of the command line. */
  args: readonly string[];
  /** The content of the configuration file. */
  config(api: TargetApi): Promise<string>;
}

const common = (): Promise<string> => readFile(CONFIG, 'utf8');

/** NUL is refused in any text, which no schema says; hence it has a pass of its own. */
const WITHOUT_NUL = ['--generation-allow-x00', 'false'];

export const PASSES: readonly Pass[] = [
  { title: 'as described', args: WITHOUT_NUL, config: common },
  {
    // Ids that the fuzzer makes up belong to nothing: without this most requests would end as 404.
    title: 'on what is there',
    // What is there must stay; and without a worker each test of a webhook would wait 12 s for its outcome.
    args: [...WITHOUT_NUL, '--phases', 'coverage,fuzzing', '--exclude-method', 'DELETE', '--exclude-operation-id', 'testWebhook'],
    async config({ existing }) {
      const ids = Object.entries(existing).map(([name, id]) => `${JSON.stringify(`path.${name}`)} = ${JSON.stringify(id)}`);
      return `parameters = { ${ids.join(', ')} }\n${await common()}`;
    },
  },
  { title: 'texts with NUL', args: ['--phases', 'fuzzing', '--mode', 'positive', '--exclude-checks', 'unsupported_method,positive_data_acceptance'], config: common },
];
