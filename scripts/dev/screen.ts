/** What the launcher prints. */
import type { DevDescription } from './devFiles.ts';

export interface Screen {
  /** Prints text that ends with a line end. */
  print(text: string): void;
  /** Shows a block below everything printed and redraws it in place; null leaves it standing as it is. */
  live(block: string | null): void;
  /** Whether `live` can redraw; elsewhere it prints nothing. */
  readonly terminal: boolean;
}

/** Lines may come from services while a block is live: they are printed above it. */
export function createScreen(stdout: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>): Screen {
  let block = '';
  // Up over the block's lines and everything from there on cleared.
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

/** A line that the terminal would wrap counts as one when the cursor goes up, so it is cut. */
function fit(block: string, columns: number): string {
  return block
    .split('\n')
    .map((line) => [...line].slice(0, columns - 1).join(''))
    .join('\n');
}

/** A line of progress, with the seconds since the process began. */
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

/** dev.json in words, with a command to try. */
export function describeInWords(description: DevDescription, dataDir: string, seconds: number): string {
  const { project } = description;
  const rows: [string, string][] = [
    ['Content API', description.content_url],
    ['API description', `${description.content_url}/openapi.json`],
    ['Cabinet API', `${description.cabinet_url}/api`],
    ['Cabinet token', description.cabinet_token],
    ['Project', project.id],
    ['Project key', project.key],
    ['Database', description.database_url],
    ['Temporal', description.temporal_address],
    ...(description.temporal_ui_url === null
      ? []
      : [['Temporal page', description.temporal_ui_url] as [string, string]]),
    [
      'Site',
      `${description.site.id}, of the web analytics; its hits go to ${description.collect_url}, its keys are in dev.json`,
    ],
    ['For programs', `${dataDir}/dev.json`],
    ['Logs', `${dataDir}/logs/`],
    ['Metrics', `${Object.keys(description.metrics_urls).length} addresses, in dev.json under metrics_urls`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    '',
    `Attune works (${seconds.toFixed(1)} s). Ctrl-C stops it.`,
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
