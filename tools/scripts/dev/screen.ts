/** The launcher's output. */
import type { DevDescription } from './settings/devFiles.ts';

export interface Screen {
  /** Prints text that ends with a newline. */
  print(text: string): void;
  /**
   * Shows a block below all printed output and redraws it in place. After null, the last block stays as it is, and what
   * is printed follows it.
   */
  live(block: string | null): void;
  /** True when `live` can redraw; otherwise it prints nothing. */
  readonly terminal: boolean;
}

/** Creates a screen. Lines that services print while a block is live appear above it. */
export function createScreen(stdout: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>): Screen {
  let block = '';
  // Moves up over the block's lines and clears everything from there on.
  const clear = (): string => (block === '' ? '' : `\x1b[${block.split('\n').length - 1}A\x1b[J`);
  return {
    terminal: stdout.isTTY,
    print: (text) => void stdout.write(`${clear()}${text}${block}`),
    live(next) {
      if (next === null) {
        block = '';
        return;
      }
      const fitted = stdout.isTTY ? fit(next, stdout.columns) : '';
      if (fitted === block) return;
      stdout.write(`${clear()}${fitted}`);
      block = fitted;
    },
  };
}

/** Cuts lines, because a line that the terminal wraps would count as one when the cursor moves up. */
function fit(block: string, columns: number): string {
  return block
    .split('\n')
    .map((line) => [...line].slice(0, columns - 1).join(''))
    .join('\n');
}

/** Returns a function that prints a line of progress, with the seconds since the process began. */
export function makeReporter(print: (text: string) => void): (line: string) => void {
  return (line) => {
    const seconds = process.uptime().toFixed(1).padStart(6);
    print(
      line
        .split('\n')
        .map((part) => `${seconds} s  ${part}\n`)
        .join(''),
    );
  };
}

/** Describes dev.json in words, with a command to try. */
export function describeInWords(description: DevDescription, dataDir: string, seconds: number): string {
  const { project, site } = description;
  const rows: [string, string][] = [
    ['Content API', description.content_url],
    ['API description', `${description.content_url}/openapi.json`],
    ['Analytics API', description.analytics_url],
    ['API description', `${description.analytics_url}/openapi.json`],
    ['Cabinet API', `${description.cabinet_url}/api`],
    ['Cabinet token', description.cabinet_token],
    ['Project', project.id],
    ['Project key', project.key],
    ['Database', description.database_url],
    ['Temporal', description.temporal_address],
    ...(description.temporal_ui_url === null ? [] : [['Temporal UI', description.temporal_ui_url] as [string, string]]),
    ['Site', `${site.id}, for web analytics; its hits go to ${description.collect_url}`],
    ['Site key', site.api_key],
    ['Tag key', site.tag_key],
    ['For programs', `${dataDir}/dev.json`],
    ['Logs', `${dataDir}/logs/`],
    ['Metrics', `${Object.keys(description.metrics_urls).length} addresses, in dev.json under metrics_urls`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    '',
    `Attune works (${seconds.toFixed(1)} s). Ctrl-C stops it.`,
    '',
    '  Open the cabinet in a browser; this address signs you in once, within ten minutes:',
    `    ${description.cabinet_sign_in_url ?? description.cabinet_url}`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    '  Try it:',
    `    curl -X PUT ${description.content_url}/items/hello \\`,
    `      -H 'Authorization: Bearer ${project.key}' -H 'Content-Type: application/json' \\`,
    `      -d '{"type": "text", "title": "Привет", "body": "Трамвай вернулся в депо после ремонта."}'`,
    `    curl ${description.content_url}/items/hello -H 'Authorization: Bearer ${project.key}'`,
    '',
  ].join('\n');
}
