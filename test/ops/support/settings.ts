/** The settings that config.ts reads, determined by running config.ts. */
import { loadConfig } from '../../../config.ts';

/** Includes a key for the providers, so that the models are read too. */
const GIVEN: Record<string, string> = {
  DATABASE_URL: 'postgres://attune:secret@127.0.0.1/attune',
  SECRET_KEY: 'x'.repeat(32),
  PUBLIC_URL: 'https://attune.example',
  OPENAI_API_KEY: 'sk-test',
};

/** Returns names in the order in which they are read. */
export function settingsRead(): Set<string> {
  const names = new Set<string>();
  const env = new Proxy(GIVEN, {
    get(given, name) {
      names.add(String(name));
      return given[String(name)];
    },
  });
  loadConfig(env);
  return names;
}
