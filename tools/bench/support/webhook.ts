/** A webhook of the benchmark's project. */
import type { BenchStack } from './stack.ts';

export async function addWebhook(stack: BenchStack, url: string): Promise<void> {
  const response = await fetch(`${stack.cabinetApiUrl}/projects/${stack.project.id}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.cabinetToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['item.processed', 'item.failed'], enabled: true }),
  });
  if (!response.ok) throw new Error(`the webhook could not be added: ${response.status} ${await response.text()}`);
}
