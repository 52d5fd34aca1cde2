/** Settings of the selection process, and of its client in the API. */
import type { SettingsReader } from '../platform/process/settingsReader.ts';

export interface SelectionSettings {
  /** Address that the selection process listens on. */
  listen: { host: string; port: number };
  /** Memory limit of its catalogues, in MB. */
  catalogueMb: number;
  /** Origins of the selection processes, for the API. */
  urls: readonly string[];
  /** In milliseconds; an answer that takes longer is a fallback, and 0 makes every answer a fallback. */
  deadlineMs: number;
}

export function readSelectionSettings(reader: SettingsReader): SelectionSettings {
  const host = reader.text('SELECTION_HOST', '127.0.0.1');
  const port = reader.integer('SELECTION_PORT', 8090, 1, 65_535);
  const urls = reader.list('SELECTION_URLS');
  if (!urls.every(isOrigin))
    reader.faults.push('SELECTION_URLS is not a list of addresses such as http://selection:8090');
  return {
    listen: { host, port },
    catalogueMb: reader.integer('SELECTION_CATALOGUE_MB', 1024, 1, 1_000_000),
    urls: urls.length > 0 ? urls : [`http://127.0.0.1:${port}`],
    deadlineMs: reader.integer('SELECTION_DEADLINE_MS', 300, 0, 10_000),
  };
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname + url.search + url.hash === '/';
}
