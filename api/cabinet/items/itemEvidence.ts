/** The evidence of a moderation, each piece with its place in the item. */
import type pg from 'pg';
import Type from 'typebox';
import { readEvidence } from '../../../db/analysis/evidence.ts';
import type { StoredItem } from '../../../db/items/readItem.ts';
import {
  moderatedParts,
  placeIn,
  TEXT_PARTS,
  type ModeratedPart,
} from '../../../domain/analysis/safety/moderatedText.ts';
import { MODERATION_LEVELS } from '../../../domain/analysis/results.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import { nullable, oneOf, orNull, type Static } from '../../../domain/schemas/schema.ts';

const PARTS = [...TEXT_PARTS, 'picture'] as const;

const EvidencePlace = Type.Object(
  {
    part: oneOf(PARTS, {
      description: 'Где это: frame — надпись на кадре, picture — сам кадр или изображение, transcript — речь',
    }),
    media_position: nullable(Type.Integer({ description: 'Чьё это медиа; null у текстов самого объекта' })),
    ts: nullable(Type.Number({ description: 'Секунды от начала медиа; null, если момент неизвестен' })),
    offset: Type.Integer({ description: 'Начало внутри этого текста, в единицах UTF-16' }),
    length: Type.Integer({ description: 'Длина; 0 у picture' }),
  },
  { title: 'EvidencePlace' },
);

export const ModerationEvidence = Type.Object(
  {
    category: Type.String(),
    level: nullable(oneOf(MODERATION_LEVELS)),
    score: nullable(Type.Number({ description: 'Уверенность модели, 0–1' })),
    count: nullable(Type.Integer({ description: 'Сколько раз встретилось' })),
    excerpt: nullable(Type.String({ description: 'Слова вокруг, найденное скрыто звёздочками' })),
    place: orNull(EvidencePlace),
  },
  { title: 'ModerationEvidence' },
);
export type ModerationEvidence = Static<typeof ModerationEvidence>;

export const evidenceExample: ModerationEvidence = {
  category: 'profanity',
  level: 'medium',
  score: null,
  count: 2,
  excerpt: '…и тут он сказал: ч****, опять…',
  place: { part: 'transcript', media_position: 0, ts: 61.5, offset: 812, length: 5 },
};

/**
 * Returns the evidence of an item's moderation; empty when there is none. The texts are read only when something has to
 * be located in them: most items have no evidence, and texts may be large.
 */
export async function evidenceOf(
  pool: pg.Pool,
  projectId: string,
  { id, moderation, media }: StoredItem,
): Promise<ModerationEvidence[]> {
  const found = moderation?.evidence ?? [];
  if (found.length === 0) return [];
  const texts = await readEvidence(pool, { projectId, itemId: id });
  const parts = texts ? moderatedParts(texts) : [];
  const positions = new Map(media.map(({ mediumId, position }) => [mediumId, position]));
  return found.map((one) => ({
    category: textOf(one['category']) ?? '',
    level: MODERATION_LEVELS.find((level) => level === one['level']) ?? null,
    score: numberOf(one['score']),
    count: integerOf(one['count']),
    excerpt: textOf(one['excerpt']),
    place: placeOf(one, parts, positions),
  }));
}

/** Returns null when the moderator did not name a place, or the text no longer exists. */
function placeOf(
  { where, frame }: Record<string, unknown>,
  parts: readonly ModeratedPart[],
  positions: ReadonlyMap<string, number>,
): ModerationEvidence['place'] {
  if (typeof frame === 'string') return pictureOf(frame, positions);
  if (!isRecord(where)) return null;
  const [offset, length] = [integerOf(where['offset']), integerOf(where['length'])];
  const place = offset === null || length === null ? null : placeIn(parts, { offset, length });
  if (!place) return null;
  const { mediumId, ...rest } = place;
  return { ...rest, media_position: mediumId === null ? null : (positions.get(mediumId) ?? null) };
}

/** @param frame `<medium>:<seconds>`, as the moderator received it (activities/ai/moderation.ts) */
function pictureOf(frame: string, positions: ReadonlyMap<string, number>): ModerationEvidence['place'] {
  const [mediumId = '', seconds = ''] = frame.split(':');
  const [position, ts] = [positions.get(mediumId), numberOf(Number(seconds))];
  return position === undefined ? null : { part: 'picture', media_position: position, ts, offset: 0, length: 0 };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const integerOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? Number(value) : null);
