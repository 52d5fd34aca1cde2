/** The settings that config.ts reads, determined by running config.ts. */
import { ConfigError, loadConfig } from '../../../config.ts';
import { PROVIDER_CAPABILITIES } from '../../../domain/analysis/capabilities.ts';
import { PROVIDER_KINDS } from '../../../providers/setup/providerSettings.ts';

/** Includes a key for the providers, so that the models are read too. */
const GIVEN: Record<string, string> = {
  DATABASE_URL: 'postgres://attune:secret@127.0.0.1/attune',
  SECRET_KEY: 'x'.repeat(32),
  PUBLIC_URL: 'https://attune.example',
  OPENAI_API_KEY: 'sk-test',
};

/** Returns the names of all settings, even of those that are read only for one kind of provider. */
export function settingsRead(): Set<string> {
  const names = new Set<string>();
  for (const kind of PROVIDER_KINDS) {
    const chosen = PROVIDER_CAPABILITIES.map((capability) => [`${capability.toUpperCase()}_PROVIDER`, kind]);
    const env = new Proxy<Record<string, string>>(
      { ...GIVEN, ...Object.fromEntries(chosen) },
      {
        get(given, name) {
          names.add(String(name));
          return given[String(name)];
        },
      },
    );
    try {
      loadConfig(env);
    } catch (error) {
      // A capability may refuse a kind; it is reported after everything has been read.
      if (!(error instanceof ConfigError)) throw error;
    }
  }
  return names;
}
