/** docker-compose.yml as Compose reads it: anchors merged, variables replaced from a given environment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

export interface HealthCheck {
  test: string[];
}

export interface Service {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: HealthCheck;
  restart?: string;
  cpu_shares?: number;
  profiles?: string[];
  stop_grace_period?: string;
  container_name?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  logging?: { options: Record<string, string> };
  deploy?: { resources: { limits: Record<string, string> } };
}

export interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, unknown>;
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Thrown, as by Compose, when a required variable is missing. */
export class MissingVariable extends Error {
  override readonly name = 'MissingVariable';
}

/** `${NAME:-default}` and `${NAME:?message}`, the two forms in use. A default may contain another variable. */
const INNERMOST_VARIABLE = /\$\{(\w+):([-?])([^{}]*)\}/;

/** Replaces variables from the innermost one outwards. */
function replaceVariables(text: string, replace: (name: string, kind: string, rest: string) => string): string {
  const found = INNERMOST_VARIABLE.exec(text);
  if (found === null) return text;
  const [match, name = '', kind = '', rest = ''] = found;
  const after = text.slice(found.index + match.length);
  return replaceVariables(text.slice(0, found.index) + replace(name, kind, rest) + after, replace);
}

function interpolate(text: string, env: Record<string, string>): string {
  return replaceVariables(text, (name, kind, rest) => {
    const value = env[name] ?? '';
    if (value !== '') return value;
    if (kind === '?') throw new MissingVariable(rest);
    return rest;
  });
}

/** Returns every variable of the file with its default: null when it is required. */
export function variablesOf(text: string): Map<string, string | null> {
  const variables = new Map<string, string | null>();
  replaceVariables(text, (name, kind, rest) => {
    variables.set(name, kind === '?' ? null : rest);
    return rest;
  });
  return variables;
}

/** Reads the raw tree with unresolved variables. */
function readTree(): Record<string, unknown> {
  return parse(readText('docker-compose.yml'), { merge: true }) as Record<string, unknown>;
}

export function readCompose(env: Record<string, string>): Compose {
  return replaceIn(readTree(), env) as unknown as Compose;
}

function replaceIn(value: unknown, env: Record<string, string>): unknown {
  if (typeof value === 'string') return interpolate(value, env);
  if (Array.isArray(value)) return value.map((entry) => replaceIn(entry, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, replaceIn(entry, env)]));
}

/** Returns the services that run our image, by name. */
export function ownServices(compose: Compose): [string, Service][] {
  return Object.entries(compose.services).filter(([, { image = '' }]) => image.startsWith('attune:'));
}

/** A complete .env. */
export const FILLED: Record<string, string> = {
  PUBLIC_URL: 'https://attune.example',
  SECRET_KEY: 'a'.repeat(44),
  POSTGRES_PASSWORD: 'b'.repeat(48),
  ATTUNE_DB_PASSWORD: 'c'.repeat(48),
  ATTUNE_REPORTS_PASSWORD: 'e'.repeat(48),
  TEMPORAL_DB_PASSWORD: 'd'.repeat(48),
};
