/** Commands for webhooks. */
import { uuidv7 } from 'uuidv7';
import { createWebhookUrlCheck } from '../../../api/cabinet/webhooks/webhookUrl.ts';
import { loadConfig, type Config } from '../../../config.ts';
import {
  insertWebhook,
  listWebhooks,
  WEBHOOKS_PER_PROJECT,
  type StoredWebhook,
} from '../../../db/webhooks/webhooks.ts';
import { newKey } from '../../../domain/accounts/keyFormats.ts';
import { encryptSigningSecret, signingSecretKeys, webhookSecretContext } from '../../../domain/accounts/secretKeys.ts';
import { SUBSCRIBABLE_EVENTS, type ItemEvent } from '../../../domain/webhooks/webhookRequest.ts';
import { createSystemResolver } from '../../../platform/outgoing/resolve.ts';
import { addressRules } from '../../../platform/process/addressRules.ts';
import { required, type Command } from './command.ts';
import { projectOf } from './projects.ts';
import { UsageError } from './usageError.ts';

const REFUSALS: Record<string, string> = {
  forbidden_address:
    'leads to an internal address: give a public one, or open its network with ALLOW_NETWORKS for this command and for the services',
};

const addWebhook: Command = {
  name: 'webhook add',
  usage: `--project ID --url https://… [--events ${SUBSCRIBABLE_EVENTS.join(',')}]`,
  about: 'subscribes an address and prints its signing secret, once',
  options: { project: { type: 'string' }, url: { type: 'string' }, events: { type: 'string' } },
  async run(context, values) {
    const projectId = await projectOf(context, addWebhook, values);
    const url = required(addWebhook, values, 'url');
    const events = readEvents(values.events);
    const config = loadConfig(context.env);
    await requireGoodUrl(url, config);
    const [id, secret] = [uuidv7(), newKey('webhook')];
    const stored = await insertWebhook(context.pool, projectId, {
      id,
      url,
      events,
      enabled: true,
      secret: encryptSigningSecret(signingSecretKeys(config.secretKey), secret, webhookSecretContext(projectId, id)),
    });
    if (stored === 'full')
      throw new UsageError(
        `the project has ${WEBHOOKS_PER_PROJECT} webhooks, which is the limit: delete one in the cabinet`,
      );
    if (stored === 'unknown_project') throw new UsageError(`the project ${projectId} no longer exists`);
    return [
      `id     ${stored.id}`,
      `secret ${secret}`,
      'The secret is not shown again; another one can be issued in the cabinet.',
    ];
  },
};

const showWebhooks: Command = {
  name: 'webhook list',
  usage: '--project ID',
  about: "prints id, state, events and address of the project's webhooks",
  options: { project: { type: 'string' } },
  async run(context, values) {
    const projectId = await projectOf(context, showWebhooks, values);
    const webhooks = await listWebhooks(context.pool, projectId);
    if (webhooks.length === 0) return ['no webhooks yet'];
    return webhooks.map(
      (webhook) => `${webhook.id}  ${stateOf(webhook).padEnd(8)}  ${webhook.events.join(',')}  ${webhook.url}`,
    );
  },
};

export const webhookCommands: readonly Command[] = [addWebhook, showWebhooks];

function readEvents(text: string | undefined): ItemEvent[] {
  const names = (text ?? SUBSCRIBABLE_EVENTS.join(','))
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const events = names.map((name) => {
    const event = SUBSCRIBABLE_EVENTS.find((known) => known === name);
    if (event === undefined) throw new UsageError(`--events "${name}" is not one of ${SUBSCRIBABLE_EVENTS.join(', ')}`);
    return event;
  });
  if (events.length === 0) throw new UsageError(`--events is empty: name one of ${SUBSCRIBABLE_EVENTS.join(', ')}`);
  return [...new Set(events)];
}

async function requireGoodUrl(url: string, config: Config): Promise<void> {
  const fault = await createWebhookUrlCheck(addressRules(config), createSystemResolver())(url);
  if (fault === null) return;
  throw new UsageError(
    `--url ${REFUSALS[fault] ?? 'is not an address that webhooks can go to: https, at most 2048 characters, no user and no #'}`,
  );
}

function stateOf({ enabled, backlogSince, heldUntil }: StoredWebhook): string {
  if (!enabled) return 'disabled';
  if (backlogSince !== null) return 'backlog';
  return heldUntil === null ? 'enabled' : 'held';
}
