/** The line of JSON that goes before the compressed events of a recording's chunk. */
import Type from 'typebox';
import { RECORDING_MAX_CHUNKS } from '../domain/recordings.ts';
import { dateTime, strictObject, type Static } from './schema.ts';

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
/** The last moment that a date of JavaScript has. */
const MAX_EPOCH_MS = 8.64e15;

const moment = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_EPOCH_MS, description });

export const RecordingChunkHead = strictObject(
  {
    key: Type.String({ description: 'The public key of the site, as_…' }),
    visitor_id: Type.String({ pattern: UUID, description: 'The value of the cookie _svc_a' }),
    recording_id: Type.String({ pattern: UUID, description: 'One for a visit in a tab' }),
    seq: Type.Integer({
      minimum: 0,
      maximum: RECORDING_MAX_CHUNKS - 1,
      description: 'Number of the chunk in its recording, from 0: one that is known is not stored again',
    }),
    sent_at: dateTime({
      description: "By the clock of the device: with the time of receipt it tells that clock's error",
    }),
    from: moment('When the first event was, epoch milliseconds by the clock of the device'),
    to: moment('When the last one was'),
    events: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many there are' }),
  },
  { title: 'RecordingChunkHead' },
);
export type RecordingChunkHead = Static<typeof RecordingChunkHead>;
