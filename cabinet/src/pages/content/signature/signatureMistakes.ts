/**
 * Finds why the signature of a request does not match, by trying the most frequent mistakes. It needs only the
 * browser's Web Cryptography API.
 */
import { STEPS } from '../../../data/items/steps.ts';
import { isRecord } from '../../../data/isRecord.ts';

export type Finding =
  | 'right'
  | 'no_signature'
  | 'no_timestamp'
  | 'stale'
  | 'secret_prefix'
  | 'secret_spaces'
  | 'secret_form'
  | 'body_spaces'
  | 'body_rewritten'
  | 'other_delivery'
  | 'other_attempt'
  | 'wrong_secret';

export interface ReceivedRequest {
  secret: string;
  /** As received, one per line. */
  headers: string;
  body: string;
}

export interface Verdict {
  isRight: boolean;
  findings: Finding[];
}

/** Documented: a receiver rejects a larger difference. */
const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
const FORM = /^whsec_[A-Za-z0-9]{40}$/;

interface Variant {
  text: string;
  /** The correction that was applied; null for the unchanged text. */
  corrects: Finding | null;
}

interface SignatureHeaders {
  id: string;
  timestamp: string;
  core: string | undefined;
  standard: string[];
}

/** @param now milliseconds since 1970, by the clock of the browser */
export async function checkSignature({ secret, headers, body }: ReceivedRequest, now: number): Promise<Verdict> {
  const named = headersIn(headers);
  const signed: SignatureHeaders = {
    id: named.get('x-core-delivery') ?? named.get('webhook-id') ?? '',
    timestamp: named.get('x-core-timestamp') ?? named.get('webhook-timestamp') ?? '',
    core: named.get('x-core-signature')?.toLowerCase(),
    standard: (named.get('webhook-signature') ?? '').split(' ').filter((one) => one !== ''),
  };
  if (signed.core === undefined && signed.standard.length === 0) return wrong('no_signature');
  if (!/^\d{1,12}$/.test(signed.timestamp)) return wrong('no_timestamp');
  const stale: Finding[] = Math.abs(now / 1000 - Number(signed.timestamp)) > TOLERANCE_SECONDS ? ['stale'] : [];
  for (const key of secretVariants(secret)) {
    for (const content of bodyVariants(body)) {
      if (!(await isSignedWith(signed, key.text, content.text))) continue;
      const faults = [key.corrects, content.corrects].filter((one) => one !== null);
      return faults.length === 0
        ? { isRight: true, findings: stale.length > 0 ? stale : ['right'] }
        : wrong(...faults, ...stale);
    }
  }
  return wrong(...likelyMistakes(secret.trim(), body, signed), ...stale);
}

function wrong(...findings: Finding[]): Verdict {
  return { isRight: false, findings };
}

/**
 * Returns headers with names in lower case; of a repeated header the last one. Lines of HTTP/2 pseudo-headers, which
 * begin with a colon, are left out.
 */
function headersIn(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^\s*["']?([\w-]+)["']?\s*:\s*["']?(.*?)["']?,?\s*$/.exec(line));
  return new Map(lines.flatMap((match) => (match ? [[(match[1] ?? '').toLowerCase(), match[2] ?? '']] : [])));
}

function secretVariants(secret: string): Variant[] {
  const trimmed = secret.trim();
  return [
    { text: secret, corrects: null },
    { text: trimmed, corrects: 'secret_spaces' },
    { text: PREFIX + trimmed, corrects: 'secret_prefix' },
  ];
}

function bodyVariants(body: string): Variant[] {
  const parsed = parse(body);
  return [
    { text: body, corrects: null },
    { text: body.trim(), corrects: 'body_spaces' },
    ...(parsed === null
      ? []
      : [parsed, inOrder(parsed)].map((value): Variant => ({
          text: JSON.stringify(value),
          corrects: 'body_rewritten',
        }))),
  ];
}

type Json = Record<string, unknown>;

function parse(body: string): Json | null {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const ORDERS: Readonly<Record<string, readonly string[]>> = {
  '': ['event', 'project_id', 'sent_at', 'delivery_id', 'item'],
  item: ['id', 'status', 'processing', 'summary', 'moderation'],
  processing: STEPS,
  summary: ['summary', 'topics', 'tags', 'age_rating', 'moderation'],
};

/** Restores the key order that Attune writes. The contents of a moderation have no fixed order. */
function inOrder(value: Json, name = ''): Json {
  const order = ORDERS[name] ?? [];
  const keys = [...order.filter((key) => key in value), ...Object.keys(value).filter((key) => !order.includes(key))];
  const isDeep = name === '' || name === 'item';
  return Object.fromEntries(
    keys.map((key) => {
      const inner = value[key];
      return [key, isDeep && isRecord(inner) ? inOrder(inner, key) : inner];
    }),
  );
}

async function isSignedWith(
  { id, timestamp, core, standard }: SignatureHeaders,
  secret: string,
  body: string,
): Promise<boolean> {
  if (core !== undefined) {
    const sum = await hmac(new TextEncoder().encode(secret), `${timestamp}.${body}`);
    return core === `sha256=${[...sum].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  }
  const key = standardKey(secret);
  if (key === null) return false;
  const sum = await hmac(key, `${id}.${timestamp}.${body}`);
  return standard.includes(`v1,${btoa(String.fromCharCode(...sum))}`);
}

function standardKey(secret: string): Uint8Array<ArrayBuffer> | null {
  if (!secret.startsWith(PREFIX)) return null;
  try {
    return Uint8Array.from(atob(secret.slice(PREFIX.length)), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  // Web Cryptography does not accept an empty key.
  if (key.length === 0) return new Uint8Array();
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text)));
}

/** Returns mistakes that are visible without a key, if no key matches. */
function likelyMistakes(secret: string, body: string, { id, timestamp }: SignatureHeaders): Finding[] {
  const parsed = parse(body);
  const delivery = parsed?.['delivery_id'];
  const sentAt = parsed?.['sent_at'];
  if (typeof delivery === 'string' && id !== '' && delivery !== id) return ['other_delivery'];
  if (typeof sentAt === 'string' && Math.floor(Date.parse(sentAt) / 1000) !== Number(timestamp))
    return ['other_attempt'];
  return FORM.test(secret) || FORM.test(PREFIX + secret) ? ['wrong_secret'] : ['secret_form'];
}
