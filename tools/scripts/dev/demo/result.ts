/** Formats one analysed sample in a few lines. */
import type { DemoItem } from './api.ts';
import type { ReceivedWebhook } from './server.ts';

const EXCERPT = 220;

export function describeItem(item: DemoItem, webhook: ReceivedWebhook | undefined): string {
  const lines = [
    `  ${item.id}: ${item.status}`,
    ...detail('summary', item.summary?.summary),
    ...detail('topics', item.summary?.topics.join(', ')),
    ...detail('heard', item.transcript?.map(({ text }) => text).join(' ')),
    ...detail('read in the picture', readText(item)),
    ...Object.entries(item.processing_errors ?? {}).map(([step, { message }]) => `    ${step}: ${message}`),
    `    webhook: ${describeWebhook(webhook)}`,
  ];
  return `${lines.join('\n')}\n\n`;
}

function detail(name: string, text: string | undefined): string[] {
  const line = text?.replaceAll(/\s+/g, ' ').trim() ?? '';
  if (line === '') return [];
  const characters = [...line];
  return [`    ${name}: ${characters.length > EXCERPT ? `${characters.slice(0, EXCERPT).join('')}…` : line}`];
}

function readText(item: DemoItem): string {
  return (item.frames ?? [])
    .map(({ ocr_text: text }) => text ?? '')
    .filter(Boolean)
    .join(' / ');
}

function describeWebhook(webhook: ReceivedWebhook | undefined): string {
  if (webhook === undefined) return 'none received yet';
  return `${webhook.event} received, ${webhook.fault ?? 'signature valid'}`;
}
