/** The line of JSON before the compressed events of a recording's chunk. */
import Type from 'typebox';
import { RECORDING_MAX_CHUNKS } from '../recordings/recordingLimits.ts';
import { dateTime, strictObject, type Static } from './schema.ts';
import { UUID_IN_ANY_CASE } from '../uuid.ts';

const UUID = `^${UUID_IN_ANY_CASE}$`;
/** The latest time that a JavaScript date can have. */
const MAX_EPOCH_MS = 8.64e15;

const moment = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_EPOCH_MS, description });

export const RecordingChunkHead = strictObject(
  {
    key: Type.String({ description: 'The public key of the site, as_…' }),
    visitor_id: Type.String({ pattern: UUID, description: 'The value of the cookie _svc_a' }),
    recording_id: Type.String({ pattern: UUID, description: 'Each visit in a tab has one of its own' }),
    seq: Type.Integer({
      minimum: 0,
      maximum: RECORDING_MAX_CHUNKS - 1,
      description: 'Number of the chunk in its recording, from 0. A chunk that is stored already is not stored again',
    }),
    sent_at: dateTime({
      description:
        "When the chunk was sent, by the device's clock. Compared with the time of receipt, it shows how wrong that clock is",
    }),
    from: moment("Time of the first event, in epoch milliseconds by the device's clock"),
    to: moment('Time of the last event'),
    events: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Number of events' }),
  },
  { title: 'RecordingChunkHead' },
);
export type RecordingChunkHead = Static<typeof RecordingChunkHead>;
