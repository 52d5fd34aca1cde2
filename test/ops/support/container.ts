/**
 * Starts a service of docker-compose.yml as its container would: the same command, the same environment, nothing
 * else.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bareEnv } from '../../support/programs/bareEnv.ts';
import { ROOT, type Service } from './compose.ts';

/** The image's environment for every process; a test compares it with the Dockerfile. */
export const IMAGE_ENV = {
  NODE_ENV: 'production',
  ATTUNE_DATA_DIR: '/var/lib/attune',
  HOST: '0.0.0.0',
  FFMPEG_PATH: '/usr/bin/ffmpeg',
  DUCKDB_EXTENSIONS_DIR: '/usr/local/lib/duckdb',
  TESSDATA_DIRS: '/usr/local/share/tessdata',
  SENTENCE_ENCODER_DIR: '/usr/local/share/sentence-encoder',
  NUDITY_MODEL_DIR: '/usr/local/share/nudity-model',
  VOICE_MODEL_DIR: '/usr/local/share/voice-model',
  RUSSIAN_NETWORKS_DIR: '/usr/local/share/text-readers/russianNetworks',
  RUSSIAN_WORDS_DIR: '/usr/local/share/text-readers/russianWords',
  ENGLISH_NETWORK_DIR: '/usr/local/share/text-readers/english',
  WORKFLOW_BUNDLE: '/usr/local/lib/attune/workflows.js',
};

export interface Container {
  process: ChildProcess;
  /** Lines of both streams so far. */
  lines: string[];
  /** Resolves with the first line that matches; rejects when the process ends first. */
  line(pattern: RegExp): Promise<string>;
  /** Exit code and signal. */
  exited: Promise<[number | null, NodeJS.Signals | null]>;
}

/** @param places replacements for the names and folders inside the containers */
export function environmentOf(service: Service, places: Record<string, string>): Record<string, string> {
  const environment = { ...IMAGE_ENV, ...service.environment };
  const known = Object.entries(places).filter(([name]) => name in environment);
  return { ...bareEnv(), ...environment, ...Object.fromEntries(known) };
}

export function runCommand(command: readonly string[], env: Record<string, string>): Container {
  const child = spawn(process.execPath, command.slice(1), { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (text) => {
      lines.push(text);
      for (const listener of listeners) listener();
    });
  }
  const exited = once(child, 'close') as Container['exited'];
  const line = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = lines.find((text) => pattern.test(text));
        if (found !== undefined) resolve(found);
      };
      listeners.add(look);
      look();
      void exited.then(([code]) => reject(new Error(`it ended with ${code}:\n${lines.join('\n')}`)));
    });
  return { process: child, lines, line, exited };
}
