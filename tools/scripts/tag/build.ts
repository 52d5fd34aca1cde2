/** Bundles the browser tag: clients/tag/dist/tag.js and tag-record.js beside it. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, stop } from 'esbuild';

const ROOT = join(import.meta.dirname, '../../..');

/** Folder of the bundles. */
export const TAG_DIST = join(ROOT, 'clients/tag/dist');

/** Browsers of the last five years, and some older ones. */
const TARGET = ['chrome88', 'edge88', 'firefox90', 'safari15'];

export const TAG_BUNDLES = { 'tag.js': 'clients/tag/main.ts', 'tag-record.js': 'clients/tag/record/main.ts' } as const;

/** Copyright notices for code in the bundle, as its licence requires. */
const NOTICES: Readonly<Record<string, string>> = {
  'tag-record.js':
    '/*! Contains rrweb, MIT licence, Copyright (c) 2018 Contributors (https://github.com/rrweb-io/rrweb/graphs/contributors) and SmartX Inc. */',
};

/**
 * Builds both. An unchanged bundle is left alone, and a new one replaces the old one atomically, so that concurrent
 * builds and readers are safe.
 * @returns the names of the bundles that changed
 */
export async function buildTag(): Promise<string[]> {
  await mkdir(TAG_DIST, { recursive: true });
  const changed: string[] = [];
  try {
    for (const [name, entry] of Object.entries(TAG_BUNDLES)) {
      if (await replaceFile(join(TAG_DIST, name), await bundle(entry, NOTICES[name] ?? ''))) changed.push(name);
    }
  } finally {
    await stop(); // the bundler's process would keep running otherwise
  }
  return changed;
}

async function bundle(entry: string, notice: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: TARGET,
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    banner: { js: notice },
    logLevel: 'silent',
    tsconfigRaw: {},
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${entry}: the bundler produced nothing`);
  return file.contents;
}

async function replaceFile(path: string, content: Uint8Array): Promise<boolean> {
  const old = await readFile(path).catch(() => null);
  if (old !== null && old.equals(content)) return false;
  const next = `${path}.${process.pid}`;
  await writeFile(next, content);
  await rename(next, path);
  return true;
}
