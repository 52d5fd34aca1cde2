/** A webhook receiver over HTTPS on loopback that counts requests, checks signatures and can misbehave. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttps } from '../../../test/platform/outgoing/support/servers.ts';
import type { ChaosReceiver, Receipt, ReceiverMode } from '../fault.ts';

/** Maximum deviation of the timestamp: the document says to refuse a request beyond it. */
const TIMESTAMP_LIMIT_SECONDS = 300;

interface WebhookBody {
  event: string;
  project_id: string;
  delivery_id: string;
  item: { id: string; status: string };
}

/** A listening receiver; it becomes a {@link ChaosReceiver} when its webhook is known. */
export interface ListeningReceiver {
  readonly url: string;
  known(webhook: { id: string; secret: string }): ChaosReceiver;
}

/**
 * Starts a receiver. It is closed with the other test servers: `cleanUp` of test/platform/outgoing/support/servers.ts.
 */
export async function startChaosReceiver(): Promise<ListeningReceiver> {
  const requests: Receipt[] = [];
  const hanging = new Set<() => void>();
  let mode: ReceiverMode = { status: 204 };
  let secret = '';
  let underWay = 0;
  let mostUnderWay = 0;

  function answer(response: ServerResponse, receipt: Receipt): void {
    if (mode === 'hangs') {
      const go = (): void => void (hanging.delete(go), answer(response, receipt));
      hanging.add(go);
      response.on('close', () => hanging.delete(go));
    } else if (mode === 'breaks') response.destroy();
    else {
      receipt.answered = mode.status;
      response.writeHead(mode.status).end();
    }
  }

  const server = await startHttps((request, response) => {
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    response.on('close', () => (underWay -= 1));
    void readAll(request).then(
      (raw) => {
        const receipt = receiptOf(request, raw, secret);
        requests.push(receipt);
        answer(response, receipt);
      },
      () => response.destroy(),
    ); // the sender disconnected in the middle of its body
  });
  const url = `https://127.0.0.1:${server.port}/hook`;
  return {
    url,
    known(webhook) {
      ({ secret } = webhook);
      return {
        url,
        webhookId: webhook.id,
        secret,
        requests,
        get mode() {
          return mode;
        },
        set mode(next) {
          mode = next;
          for (const go of hanging) go();
        },
        get inFlight() {
          return underWay;
        },
        get maxInFlight() {
          return mostUnderWay;
        },
      };
    },
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = await request.toArray();
  return Buffer.concat(parts);
}

function receiptOf(request: IncomingMessage, raw: Buffer, secret: string): Receipt {
  const { event, project_id: project, delivery_id: deliveryId, item } = JSON.parse(raw.toString('utf8')) as WebhookBody;
  const at = Date.now();
  const timestamp = Number(request.headers['x-core-timestamp']);
  const isFresh = Math.abs(at / 1000 - timestamp) <= TIMESTAMP_LIMIT_SECONDS;
  const signature = `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex')}`;
  return {
    deliveryId,
    itemId: item.id,
    event,
    status: item.status,
    at,
    timestamp,
    answered: null,
    isGenuine:
      isFresh && signature === request.headers['x-core-signature'] && deliveryId === request.headers['x-core-delivery'],
    contentHash: createHash('sha256')
      .update(JSON.stringify([event, project, deliveryId, item]))
      .digest('hex'),
  };
}
