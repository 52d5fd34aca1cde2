/**
 * Replays recorded histories of workflows against the current code. A test of a workflow passes its histories to
 * `keepHistory`; with ATTUNE_RECORD_HISTORIES=true they are written to test/replay/, and test/replay/replay.test.ts
 * replays each of them. Record them again only with a change that is meant to break running workflows.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';
import { Worker, type ReplayWorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';

const ROOT = join(import.meta.dirname, '../../..');
export const REPLAY_DIR = join(import.meta.dirname, '../..', 'replay');

/** The hard limit of one payload in this product (Temporal's own is 2 MB). */
export const MAX_PAYLOAD_BYTES = 32 * 1024;

export type History = temporal.api.history.v1.IHistory;

export interface NamedHistory {
  name: string;
  history: History;
}

interface ProtoJson {
  toJson(type: unknown, message: unknown): unknown;
  fromJson(type: unknown, json: unknown, options: { ignoreUnknownFields: boolean }): History;
}

/**
 * Converts histories to and from proto3 JSON, the form that `temporal workflow show --output json` writes. The SDK's
 * historyToJSON fails when npm installs several copies of protobufjs for its packages; this takes both the types
 * and the converter from one copy.
 */
const fromProto = createRequire(createRequire(import.meta.url).resolve('@temporalio/proto'));
const protoJson = fromProto('protobufjs/ext/protojson') as ProtoJson;
const { patchProtobufRoot } = fromProto('@temporalio/proto/lib/patch-protobuf-root') as {
  patchProtobufRoot(root: unknown): { lookupType(name: string): unknown };
};
const historyType = patchProtobufRoot(proto).lookupType('temporal.api.history.v1.History');

/** Worker options that the SDK supports but omits from the type of the options for replays. */
interface HiddenOptions {
  debugMode: boolean;
  isolateExecutionTimeout: string;
}

const optionsOf = (workflowBundle: WorkflowBundleOption): ReplayWorkerOptions & HiddenOptions => ({
  workflowBundle,
  replayName: 'all',
  workflowThreadPoolSize: 1,
  // The SDK would run the workflow in this thread and leave its promise hooks there: everything that this process
  // tests afterwards would be ten times slower.
  debugMode: false,
  // A replayed workflow task may be far longer than an original one, and the machine may be busy.
  isolateExecutionTimeout: '60 seconds',
});

/**
 * Replays histories against a bundle of workflows, one after another in one worker, because starting a worker costs
 * more than many replays. Returns the outcome of each by its name: null, or a DeterminismViolationError when the
 * workflow behaves differently.
 */
export async function replayHistories(
  workflowBundle: WorkflowBundleOption,
  histories: readonly NamedHistory[],
): Promise<Map<string, Error | null>> {
  const outcomes = new Map<string, Error | null>();
  const asked = histories.map(({ name, history }) => ({ workflowId: name, history }));
  for await (const { workflowId, error } of Worker.runReplayHistories(optionsOf(workflowBundle), asked))
    outcomes.set(workflowId, error ?? null);
  return outcomes;
}

/** Fetches the history and, when recording, writes it to `<name>.json`. */
export async function keepHistory(name: string, handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<History> {
  const history = await handle.fetchHistory();
  if (process.env['ATTUNE_RECORD_HISTORIES'] === 'true') {
    await mkdir(REPLAY_DIR, { recursive: true });
    const text = JSON.stringify(
      protoJson.toJson(historyType, proto.temporal.api.history.v1.History.fromObject(history)),
      null,
      1,
    );
    // Stack traces contain the path of the checkout, which must not be published.
    await writeFile(join(REPLAY_DIR, `${name}.json`), text.replaceAll(ROOT, '/attune'));
  }
  return history;
}

/** Reads every recorded history by its name. */
export async function readHistories(): Promise<NamedHistory[]> {
  const files = (await readdir(REPLAY_DIR)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.replace(/\.json$/, ''),
      history: parseHistory(await readFile(join(REPLAY_DIR, file), 'utf8')),
    })),
  );
}

/** Parses a history from its JSON form. */
export function parseHistory(json: string): History {
  return protoJson.fromJson(historyType, JSON.parse(json), { ignoreUnknownFields: true });
}

/** Returns the size of the history's largest payload in bytes. */
export function largestPayload(history: History): number {
  let largest = 0;
  const visit = (value: unknown): void => {
    if (value instanceof Uint8Array) largest = Math.max(largest, value.length);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(history.events);
  return largest;
}
