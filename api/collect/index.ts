/** The intake of the tag, with everything that api/server.ts needs from it. */
import type { Middleware } from 'koa';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import { recordSenders } from '../../db/sites/senders.ts';
import { rememberHoursOf } from '../../domain/collect/repeatHours.ts';
import type { CompileValidator } from '../../domain/schemas/validation.ts';
import type { KeyLookups } from '../auth/keyLookups.ts';
import { createTagKeyAuthentication, type TagKeyAuthentication } from '../auth/tagKey.ts';
import type { DescribedApi } from '../http/handling/mount.ts';
import { createAddressLimit } from './checks/intakeIpLimit.ts';
import { collectRoutes, describeCollect, serveDescription } from './description.ts';
import { serveRecordings } from './recordings/recordings.ts';
import { createRecordingAnswers } from './recordings/recordingAnswer.ts';
import { serveCollect } from './route.ts';
import { SenderCounter } from './checks/senderCounter.ts';
import { createCollectWriter } from './groupCommit.ts';
import { HOUR_MS } from '../../domain/timeUnits.ts';

export interface CollectOptions {
  pool: pg.Pool;
  registry: Registry;
  lookups: KeyLookups;
  validators: CompileValidator;
  contactKey: Buffer;
  identityKey: Buffer;
  lateEventHours: number;
  /** Limit per address. */
  requestsPerMinute: number;
  requireHttps: boolean;
  /** The store of recording chunks, and the folder for unfinished ones. */
  blobs: BlobStore;
  workDir: string;
}

export interface CollectIntake extends DescribedApi {
  middlewares: readonly Middleware[];
  tagKeys: TagKeyAuthentication;
  /** Stores the counts of senders that are still pending. */
  close(): Promise<void>;
}

/** Created on first use. */
let document: object | undefined;
const describe = (): object => (document ??= describeCollect());

export function createCollect({
  lateEventHours,
  pool,
  registry,
  lookups,
  requestsPerMinute,
  ...given
}: CollectOptions): CollectIntake {
  const options = { ...given, addressLimit: createAddressLimit(requestsPerMinute) };
  const tagKeys = createTagKeyAuthentication(pool, lookups);
  const senders = new SenderCounter((...counts) => recordSenders(pool, ...counts));
  const writer = createCollectWriter({ pool, registry, rememberHours: rememberHoursOf(lateEventHours) });
  return {
    tagKeys,
    basePath: '',
    routes: collectRoutes,
    describe,
    close: () => senders.close(),
    middlewares: [
      serveCollect({
        ...options,
        tagKeys,
        writer,
        senders,
        readRecordingAnswer: createRecordingAnswers(pool),
        lateEventMs: lateEventHours * HOUR_MS,
      }),
      serveRecordings({ ...options, pool, tagKeys }),
      serveDescription(describe, options.requireHttps),
    ],
  };
}
