/** Settings as texts of an environment, read one by one. config.ts defines them. */
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { NOTHING_ALLOWED, parseAllowNetworks, type AllowList } from '../outgoing/forbiddenAddresses.ts';

export type Env = Record<string, string | undefined>;

/** All faults of the configuration, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** Reads settings one by one and collects all faults instead of stopping at the first. */
export class SettingsReader {
  readonly faults: string[] = [];
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
  }

  text(name: string, fallback: string): string {
    return this.#env[name]?.trim() || this.#fromFile(name) || fallback;
  }

  /** Returns the content of the file named by `NAME_FILE`: Docker, Kubernetes and systemd pass secrets this way. */
  #fromFile(name: string): string {
    const setting = `${name}_FILE`;
    const path = Object.hasOwn(this.#env, setting) ? this.#env[setting]?.trim() : '';
    if (!path) return '';
    try {
      return readFileSync(path, 'utf8').trim();
    } catch (error) {
      this.faults.push(`${setting}="${path}" cannot be read (${(error as NodeJS.ErrnoException).code})`);
      return '';
    }
  }

  /** Returns variables as they are. They are settings of a library, not ours. */
  foreign(isMeant: (name: string) => boolean): Record<string, string> {
    const names = Object.keys(this.#env).filter(isMeant);
    return Object.fromEntries(names.map((name) => [name, this.#env[name] ?? '']));
  }

  required(name: string, example: string): string {
    const value = this.text(name, '');
    if (value === '') this.faults.push(`${name} is not set: write for example ${name}=${example}`);
    return value;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.text(name, String(fallback));
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    this.faults.push(`${name}="${text}" is not a whole number from ${min} to ${max}`);
    return fallback;
  }

  number(name: string, fallback: number, min: number, max: number): number {
    const text = this.text(name, String(fallback));
    const value = Number(text);
    if (value >= min && value <= max) return value;
    this.faults.push(`${name}="${text}" is not a number from ${min} to ${max}`);
    return fallback;
  }

  boolean(name: string, fallback: boolean): boolean {
    const text = this.text(name, String(fallback));
    if (text === 'true' || text === 'false') return text === 'true';
    this.faults.push(`${name}="${text}" is neither true nor false`);
    return fallback;
  }

  list(name: string): string[] {
    return this.text(name, '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  peers(name: string): string[] {
    const entries = this.list(name);
    for (const entry of entries) {
      if (!ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
        this.faults.push(`${name}: "${entry}" is neither an address nor a network such as 10.0.0.0/8`);
    }
    return entries;
  }

  networks(name: string): AllowList {
    try {
      return parseAllowNetworks(this.text(name, ''));
    } catch (error) {
      this.faults.push(`${name}: ${(error as Error).message}`);
      return NOTHING_ALLOWED;
    }
  }

  url(name: string, fallback: string): string {
    const text = this.text(name, fallback);
    const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
    if (text !== '' && !isAddress) this.faults.push(`${name}="${text}" is not an address such as https://example.com`);
    return text.replace(/\/+$/, '');
  }

  /**
   * Returns a host name without a port or a final dot, in the letter case of the setting; null when the setting is empty.
   */
  host(name: string): string | null {
    const text = this.text(name, '');
    if (text === '') return null;
    const address = `http://${text}/`;
    if (!URL.canParse(address) || new URL(address).hostname !== text.toLowerCase())
      this.faults.push(
        `${name}="${text}" is not a host name such as api.example.com, in Latin letters and without a port`,
      );
    return text.replace(/\.$/, '');
  }

  /** Returns the absolute path of a file that has to exist; null when the setting is empty. */
  file(name: string): string | null {
    const path = this.text(name, '');
    if (path === '') return null;
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      this.faults.push(`${name}="${path}" is not a file`);
    return resolve(path);
  }

  /** Returns the absolute path of a folder that has to contain these files; null when the setting is empty. */
  folder(name: string, files: readonly string[]): string | null {
    const path = this.text(name, '');
    if (path === '') return null;
    const missing = files.find((file) => statSync(join(path, file), { throwIfNoEntry: false })?.isFile() !== true);
    if (missing !== undefined) this.faults.push(`${name}="${path}" does not contain the file ${missing}`);
    return resolve(path);
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.text(name, fallback);
    const found = allowed.find((value) => value === text);
    if (found !== undefined) return found;
    this.faults.push(`${name}="${text}" is not one of ${allowed.join(', ')}`);
    return fallback;
  }
}
