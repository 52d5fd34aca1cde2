/** The replies of a confined decoder. The worker accepts only those that match the schema. */
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { LOSES_SOUND, type LossCode } from '../../domain/items/errorCodes.ts';
import { MEDIA_FAULTS, type MediaErrorCode } from '../mediaErrors.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Seconds = Type.Number({ minimum: 0 });
/** A file name in the output folder, never a path. */
const FileName = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' });
const Code = Type.Unsafe<MediaErrorCode>(Type.Enum(Object.keys(MEDIA_FAULTS)));
const Loss = Type.Unsafe<LossCode>(Type.Enum(Object.keys(LOSES_SOUND)));

const Frame = Type.Object({
  ts: Seconds,
  file: FileName,
  dhash: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  duplicateOfTs: nullable(Seconds),
  flat: Type.Boolean(),
});
const Prepared = Type.Object({
  durationSec: nullable(Seconds),
  width: nullable(Type.Integer({ minimum: 0 })),
  height: nullable(Type.Integer({ minimum: 0 })),
  truncated: Type.Boolean(),
  audio: nullable(FileName),
  subtitles: nullable(FileName),
  chapters: nullable(FileName),
  frames: Type.Array(Frame, { maxItems: 1000 }),
  warnings: Type.Array(Loss, { maxItems: 20 }),
});
const Progress = Type.Object({
  stage: Type.Union([Type.Literal('probe'), Type.Literal('decode'), Type.Literal('frames')]),
  doneSec: nullable(Type.Number()),
});
const Reply = Type.Union([
  Type.Object({ progress: Progress }),
  Type.Object({ prepared: Prepared }),
  Type.Object({ works: Type.Literal(true) }),
  Type.Object({ error: Type.Object({ code: Code, detail: nullable(Type.String({ maxLength: 10_000 })) }) }),
]);

export type DecoderReply = Static<typeof Reply>;
/** Parses a line of the decoder's output; null when it is not a reply. */
export function parseReply(line: string): DecoderReply | null {
  try {
    const value: unknown = JSON.parse(line);
    return Check(Reply, value) ? value : null;
  } catch {
    return null;
  }
}
