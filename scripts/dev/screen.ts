/** What the launcher prints. */
import type { DevDescription } from './devFiles.ts';

/** A line of progress, with the seconds since the start. */
export function makeReporter(write: (text: string) => void, started = performance.now()): (line: string) => void {
  return (line) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
    write(line.split('\n').map((part) => `${seconds} s  ${part}\n`).join(''));
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
    ...(description.temporal_ui_url === null ? [] : [['Temporal page', description.temporal_ui_url] as [string, string]]),
    ['For programs', `${dataDir}/dev.json`],
    ['Logs', `${dataDir}/logs/`],
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
