/**
 * Recorded histories of workflows, replayed against the code as it is. A test of a workflow hands its
 * histories to `keepHistory`; with ATTUNE_RECORD_HISTORIES=true they are written to test/replay/, from
 * where test/replay/replay.test.ts replays every one. Record anew only with a change that is meant to
 * break workflows under way.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';
import { Worker, type ReplayWorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';

const ROOT = join(import.meta.dirname, '../..');
export const REPLAY_DIR = join(import.meta.dirname, '..', 'replay');

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
 * The proto3 JSON form of histories, as `temporal workflow show --output json` writes it. The SDK's own
 * historyToJSON fails when npm gives its packages a copy of protobufjs each; this takes both the
 * types and the converter from one place.
 */
const fromProto = createRequire(createRequire(import.meta.url).resolve('@temporalio/proto'));
const protoJson = fromProto('protobufjs/ext/protojson') as ProtoJson;
const { patchProtobufRoot } = fromProto('@temporalio/proto/lib/patch-protobuf-root') as {
  patchProtobufRoot(root: unknown): { lookupType(name: string): unknown };
};
const historyType = patchProtobufRoot(proto).lookupType('temporal.api.history.v1.History');

/** What the SDK has for every worker and keeps from the type of those that replay. */
interface HiddenOptions {
  debugMode: boolean;
  isolateExecutionTimeout: string;
}

const optionsOf = (workflowBundle: WorkflowBundleOption, replayName: string): ReplayWorkerOptions & HiddenOptions => ({
  workflowBundle,
  replayName,
  workflowThreadPoolSize: 1,
  // The SDK would run the workflow in this very thread and leave its promise hooks there: whatever this
  // process tests afterwards would be ten times as slow.
  debugMode: false,
  // A replayed workflow task may be far longer than one that was sent, and the machine busy.
  isolateExecutionTimeout: '60 seconds',
});

/**
 * Replays a history against a bundle of workflows.
 * @throws DeterminismViolationError when the workflow would have done something else
 */
export async function replayHistory(
  workflowBundle: WorkflowBundleOption,
  history: History,
  name: string,
): Promise<void> {
  await Worker.runReplayHistory(optionsOf(workflowBundle, name), history, name);
}

/**
 * Replays histories one after another in one worker, whose start costs more than many replays. Returns how each
 * ended, by its name: null, or what {@link replayHistory} would have thrown.
 */
export async function replayHistories(
  workflowBundle: WorkflowBundleOption,
  histories: readonly NamedHistory[],
): Promise<Map<string, Error | null>> {
  const outcomes = new Map<string, Error | null>();
  const asked = histories.map(({ name, history }) => ({ workflowId: name, history }));
  for await (const { workflowId, error } of Worker.runReplayHistories(optionsOf(workflowBundle, 'all'), asked))
    outcomes.set(workflowId, error ?? null);
  return outcomes;
}

/** Fetches the history and, when recording, keeps it under `<name>.json`. */
export async function keepHistory(name: string, handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<History> {
  const history = await handle.fetchHistory();
  if (process.env['ATTUNE_RECORD_HISTORIES'] === 'true') {
    await mkdir(REPLAY_DIR, { recursive: true });
    const text = JSON.stringify(
      protoJson.toJson(historyType, proto.temporal.api.history.v1.History.fromObject(history)),
      null,
      1,
    );
    // Stack traces tell where the checkout lies, which is nobody's business.
    await writeFile(join(REPLAY_DIR, `${name}.json`), text.replaceAll(ROOT, '/attune'));
  }
  return history;
}

/** Every recorded history by its name. */
export async function readHistories(): Promise<NamedHistory[]> {
  const files = (await readdir(REPLAY_DIR)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.replace(/\.json$/, ''),
      history: parseHistory(await readFile(join(REPLAY_DIR, file), 'utf8')),
    })),
  );
}

/** A history in its JSON form. */
export function parseHistory(json: string): History {
  return protoJson.fromJson(historyType, JSON.parse(json), { ignoreUnknownFields: true });
}

/** Bytes of the largest payload of the history. */
export function largestPayload(history: History): number {
  let largest = 0;
  const visit = (value: unknown): void => {
    if (value instanceof Uint8Array) largest = Math.max(largest, value.length);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(history.events);
  return largest;
}
