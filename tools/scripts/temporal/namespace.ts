/** Sets up the namespace that the product needs: it exists, with its retention and search attributes, and is usable. */
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { SEARCH_ATTRIBUTE_TYPES } from '../../../domain/jobs/searchAttributes.ts';

export interface NamespaceSettings {
  namespace: string;
  /** Retention of closed workflows, in whole days. */
  retentionDays: number;
}

/** gRPC status codes (https://grpc.io/docs/guides/status-codes/). */
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
/** `IndexedValueType` of Temporal's API. */
const INDEXED_VALUE_TYPES = { KEYWORD: 2, KEYWORD_LIST: 7 } as const;
const DAY_MS = 86_400_000;
/** The server caches namespaces and search attributes, and refreshes the cache within seconds. */
const USABLE_WITHIN_MS = 240_000;
const POLL_MS = 500;

/**
 * Creates what is missing and changes what differs; idempotent and safe to run concurrently.
 * @throws {Error} when the server refuses, when an attribute has another type, or when the namespace is not usable
 * within four minutes
 */
export async function setUpNamespace(connection: Connection, settings: NamespaceSettings): Promise<void> {
  await ensureNamespace(connection, settings);
  await untilUsable(connection, settings.namespace, countAll);
  await setUpSearchAttributes(connection, settings.namespace);
}

/**
 * Checks that the namespace is as the product needs it, by describing it and by searching, which are allowed even where
 * namespaces are administered elsewhere, as in Temporal Cloud.
 * @throws {Error} naming what is missing, and how to create it
 */
export async function verifyNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.describeNamespace({ namespace }).catch((error: unknown) => {
    if (nullOn(NOT_FOUND)(error) === null) throw new Error(`there is no namespace ${namespace}`);
  });
  const missing: string[] = [];
  for (const [name, type] of Object.entries(SEARCH_ATTRIBUTE_TYPES)) {
    const found = await connection.workflowService
      .countWorkflowExecutions({ namespace, query: `${name} = 'none'` })
      .catch(nullOn(INVALID_ARGUMENT));
    if (found === null) missing.push(`${name} (${type === 'KEYWORD' ? 'Keyword' : 'KeywordList'})`);
  }
  if (missing.length > 0) throw new Error(`the namespace ${namespace} lacks search attributes: ${missing.join(', ')}`);
}

/** Registers missing search attributes, and waits until a search can use all of them. */
export async function setUpSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  await ensureSearchAttributes(connection, namespace);
  await untilUsable(connection, namespace, countByAttributes);
}

async function ensureNamespace(
  { workflowService }: Connection,
  { namespace, retentionDays }: NamespaceSettings,
): Promise<void> {
  const retention = msToTs(retentionDays * DAY_MS);
  const found = await workflowService.describeNamespace({ namespace }).catch(nullOn(NOT_FOUND));
  if (found === null) {
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention })
      .catch(nullOn(ALREADY_EXISTS));
    return;
  }
  if (Number(found.config?.workflowExecutionRetentionTtl?.seconds ?? 0) === Number(retention.seconds)) return;
  await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: retention } });
}

async function ensureSearchAttributes({ operatorService }: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const wanted = Object.entries(indexedValueTypes());
  const wrong = wanted.filter(([name, type]) => (customAttributes[name] ?? type) !== type);
  if (wrong.length > 0)
    throw new Error(
      `search attributes with the same name but another type exist: ${wrong.map(([name]) => name).join(', ')}`,
    );
  const missing = wanted.filter(([name]) => customAttributes[name] === undefined);
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing);
  await operatorService.addSearchAttributes({ namespace, searchAttributes }).catch(nullOn(ALREADY_EXISTS));
}

/** Returns the product's search attributes in the form in which Temporal's API registers them. */
export function indexedValueTypes(): Record<string, 2 | 7> {
  return Object.fromEntries(
    Object.entries(SEARCH_ATTRIBUTE_TYPES).map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]]),
  );
}

type Question = (connection: Connection, namespace: string) => Promise<unknown>;

const countAll: Question = ({ workflowService }, namespace) => workflowService.countWorkflowExecutions({ namespace });

const countByAttributes: Question = ({ workflowService }, namespace) => {
  const query = Object.keys(SEARCH_ATTRIBUTE_TYPES)
    .map((name) => `${name} = 'none'`)
    .join(' AND ');
  return workflowService.countWorkflowExecutions({ namespace, query });
};

async function untilUsable(connection: Connection, namespace: string, ask: Question): Promise<void> {
  const deadline = performance.now() + USABLE_WITHIN_MS;
  for (;;) {
    try {
      await ask(connection, namespace);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

function nullOn(code: number): (error: unknown) => null {
  return (error) => {
    if (isGrpcServiceError(error) && Number(error.code) === code) return null;
    throw error;
  };
}
