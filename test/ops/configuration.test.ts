/** docs/configuration.md matches config.ts and docker-compose.yml. */
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../config.ts';
import { FILLED, ownServices, readCompose, readText, variablesOf } from './support/compose.ts';
import { settingsRead } from './support/settings.ts';

interface Row {
  name: string;
  fallback: string | null;
  meaning: string;
  example: string | null;
}

const [ofConfig = '', ofCompose = ''] = readText('docs/configuration.md').split('## Only for docker-compose.yml');
const rowsOf = (text: string): Row[] =>
  [...text.matchAll(/^\| `([A-Z0-9_]+)` \| (?:`([^`]+)`|none) \| (.+) \| (?:`([^`]+)`)? ?\|$/gm)].map(
    ([, name = '', fallback, meaning = '', example]) => ({
      name,
      fallback: fallback ?? null,
      meaning,
      example: example ?? null,
    }),
  );
const settings = rowsOf(ofConfig);
const variables = variablesOf(readText('docker-compose.yml'));

const BARE = {
  DATABASE_URL: 'postgres://attune:secret@127.0.0.1/attune',
  SECRET_KEY: 'x'.repeat(32),
  PUBLIC_URL: 'https://attune.example',
};
const WITH_KEY = { ...BARE, OPENAI_API_KEY: 'sk-test' };
/** Settings without which an example of another setting may be refused. */
const WITH_ALL = { ...WITH_KEY, PICTURES_BASE_URL: 'https://pictures.example/v1' };

describe('docs/configuration.md', () => {
  it('lists each setting of config.ts once, and no other', () => {
    expect(settings.map(({ name }) => name).toSorted()).toEqual([...settingsRead()].toSorted());
  });

  it.each(settings.filter(({ fallback }) => fallback !== null))(
    'rightly lists $name with the default $fallback',
    ({ name, fallback }) => {
      const base = name.endsWith('_MODEL') ? WITH_KEY : BARE;
      expect(loadConfig({ ...base, [name]: fallback ?? '' })).toEqual(loadConfig(base));
    },
  );

  it.each(settings.filter(({ fallback }) => fallback === null))('rightly lists $name without a default', ({ name }) => {
    if (name in BARE) expect(() => loadConfig({ ...BARE, [name]: '' })).toThrow(`${name} is not set`);
    else expect(loadConfig({ ...BARE, [name]: '' })).toEqual(loadConfig(BARE));
  });

  it.each(settings.filter(({ example }) => example !== null))(
    'gives a valid example of $name: $example',
    ({ name, example }) => {
      expect(() => loadConfig({ ...WITH_ALL, [name]: example ?? '' })).not.toThrow();
    },
  );

  it('names every value of a setting that accepts only certain values', () => {
    const unnamed = settings.flatMap(({ name, meaning }) =>
      valuesOf(name)
        .filter((value) => !meaning.includes(`\`${value}\``))
        .map((value) => `${name}: ${value}`),
    );
    expect(unnamed).toEqual([]);
    expect(settings.filter(({ name }) => valuesOf(name).length > 0).length).toBeGreaterThan(5);
  });

  it('names with a setting only processes to which docker-compose.yml gives it', () => {
    const services = ownServices(readCompose(FILLED)).map(([service, { environment = {} }]) => ({
      process: service.replace(/^worker-/, ''),
      given: Object.keys(environment),
    }));
    const isProcess = (word: string): boolean => services.some(({ process }) => process === word);
    const named = settings.flatMap(({ name, meaning }) =>
      [...meaning.matchAll(/\(([a-z, ]+)\)/g)]
        .flatMap(([, words = '']) => (words.split(', ').every(isProcess) ? words.split(', ') : []))
        .map((process) => ({ name, process })),
    );
    expect(named.length).toBeGreaterThan(10);
    const isGiven = (name: string): boolean => services.some(({ given }) => given.includes(name));
    const lacking = named.filter(
      ({ name, process }) =>
        isGiven(name) && !services.some((service) => service.process === process && service.given.includes(name)),
    );
    expect(lacking).toEqual([]);
  });

  it('lists each variable that only docker-compose.yml uses, with its default', () => {
    const read = settingsRead();
    const own = [...variables].filter(([name]) => !read.has(name)).map(([name, fallback]) => ({ name, fallback }));
    expect(
      rowsOf(ofCompose)
        .map(({ name, fallback }) => ({ name, fallback }))
        .toSorted(byName),
    ).toEqual(own.toSorted(byName));
  });

  it('has the same defaults as docker-compose.yml, except for what the installation changes', () => {
    const changed = ['TRUSTED_PROXIES', 'WORKER_GRACE_SECONDS', 'TEMPORAL_UI_URL'];
    for (const { name, fallback } of settings) {
      const inCompose = variables.get(name);
      if (inCompose === undefined || changed.includes(name) || /_(PROVIDER|MODEL)$/.test(name)) continue;
      expect([name, inCompose || null]).toEqual([name, fallback]);
    }
  });
});

/** Returns the values that the message about a wrong one lists. */
function valuesOf(name: string): string[] {
  try {
    loadConfig({ ...WITH_ALL, [name]: '?' });
    return [];
  } catch (error) {
    const [, list] = new RegExp(`${name}="\\?" is not one of (.+)`).exec(String(error)) ?? [];
    return list?.split(', ') ?? [];
  }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
