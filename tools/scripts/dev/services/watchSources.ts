/**
 * Watches sources and reports changes once a burst of writes is over (debounce). Which service restarts for which
 * source is in services.ts.
 */
import { existsSync, statSync, watch, type FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';

/** Editors write a file in several steps, and "save all" writes several files. */
const QUIET_MS = 200;
const SOURCE_FILE = /\.ts$/;

/**
 * @param root the project's folder.
 * @param sources folders and files below it; missing ones are skipped.
 * @param onSaved receives those of the sources that contain a saved file.
 * @returns a function that closes the watchers.
 */
export function watchSources(
  root: string,
  sources: readonly string[],
  onSaved: (saved: ReadonlySet<string>) => void,
): () => void {
  let saved = new Set<string>();
  let quiet: NodeJS.Timeout | undefined;
  const onChange = (source: string) => {
    saved.add(source);
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      const burst = saved;
      saved = new Set();
      onSaved(burst);
    }, QUIET_MS);
  };
  const watchers = sources
    .filter((source) => existsSync(join(root, source)))
    .map((source) => watchOne(root, source, onChange));
  return () => {
    clearTimeout(quiet);
    for (const watcher of watchers) watcher.close();
  };
}

/** Watches a file through its folder: editors replace files, and a watcher of the old file would see nothing more. */
function watchOne(root: string, source: string, onChange: (source: string) => void): FSWatcher {
  const path = join(root, source);
  if (statSync(path).isDirectory()) {
    return watch(path, { recursive: true }, (_event, name) => {
      if (name !== null && SOURCE_FILE.test(name)) onChange(source);
    });
  }
  return watch(dirname(path), (_event, name) => {
    if (name !== null && join(dirname(source), name) === source) onChange(source);
  });
}
