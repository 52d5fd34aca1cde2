/** The built web app (tools/scripts/cabinet/build.ts), read on first use and kept in memory. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface AppFile {
  /** Compressed by the build; an encoding is missing where it would save too little. */
  bytes: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
  type: string;
}

/** The app, the sign-in page, the page to accept an invitation, and the player of recordings. */
export type PageName = 'index.html' | 'sign-in.html' | 'invitation.html' | 'replay.html';

export interface AppFiles {
  /** Returns a file below /cabinet/assets/; null when there is none with that name. */
  asset(name: string): Promise<AppFile | null>;
  /** Returns a page with a placeholder for the nonce; null when the app is not built. */
  page(name: PageName): Promise<string | null>;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
};
/** The build names files with a hash of their content, so they never change. */
const NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.(js|css|svg|json)$/;
const SUFFIXES: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** @param folder output folder of tools/scripts/cabinet/build.ts */
export function createAppFiles(folder: string): AppFiles {
  const assets = new Map<string, AppFile>();
  const pages = new Map<PageName, { version: string; text: string }>();
  return {
    async asset(name) {
      const type = TYPES[NAME.exec(name)?.[1] ?? ''];
      if (type === undefined) return null;
      const known = assets.get(name);
      if (known) return known;
      const file = await load(join(folder, 'assets', name), type);
      // Only existing names are cached, so strangers cannot fill the memory.
      if (file !== null) assets.set(name, file);
      return file;
    },
    async page(name) {
      const path = join(folder, name);
      const version = await versionOf(path);
      if (version === null) return null;
      const known = pages.get(name);
      if (known?.version === version) return known.text;
      const text = await readFile(path, 'utf8');
      pages.set(name, { version, text });
      return text;
    },
  };
}

async function load(path: string, type: string): Promise<AppFile | null> {
  const identity = await readOrNull(path);
  if (identity === null) return null;
  const bytes: AppFile['bytes'] = { identity };
  for (const [encoding, suffix] of SUFFIXES) {
    const compressed = await readOrNull(path + suffix);
    if (compressed !== null) bytes[encoding] = compressed;
  }
  return { bytes, type };
}

function readOrNull(path: string): Promise<Buffer | null> {
  return readFile(path).catch(() => null);
}

/** Returns a version that changes with the file; null when there is none. */
async function versionOf(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  return found && `${found.ino}/${found.size}/${found.mtimeMs}`;
}
