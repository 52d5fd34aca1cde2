/** The part of a person's history that an output request needs. */
import type { EventType } from '../../../domain/events/eventTypes.ts';
import type { Queryable } from '../../pool.ts';
import {
  factMarks,
  latestFacts,
  latestStates,
  orderMarks,
  stateMarks,
  unexpandedOrders,
  unpackHistory,
  type History,
  type HistoryOperands,
  type PackedHistory,
} from './historyParts.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';

/** The fields of a type that output uses. */
export type OutputType = Pick<
  EventType,
  'code' | 'mode' | 'weight' | 'value_map' | 'is_purchase' | 'hides_item' | 'suppress_similar_days'
>;

export interface HistoryQuery {
  /** Identities, the root first. */
  memberIds: readonly string[];
  types: readonly OutputType[];
  /** True to read more than the marks. */
  signals: boolean;
}

/**
 * Reads the history of a person with several identities. That of a person with one is read together with the person
 * (db/output/readBeforeRanking.ts).
 * @throws when the database does not answer
 */
export async function readHistory(pool: Queryable, projectId: string, wanted: HistoryQuery): Promise<History> {
  const { memberIds, types, signals } = wanted;
  const marking = types.filter((type) => type.hides_item || type.suppress_similar_days > 0);
  const parts: Parts = {
    factMarks: marking.some(({ mode }) => mode === 'fact'),
    orderMarks: marking.some((type) => type.is_purchase),
    stateMarks: marking.some(({ mode }) => mode !== 'fact'),
    signals,
  };
  const row = await readParts(pool, parts, [
    projectId,
    memberIds,
    codesOf(marking.filter((type) => type.hides_item)),
    codesOf(marking),
    new Date(Date.now() - DAY_MS * Math.max(0, ...marking.map((type) => type.suppress_similar_days))),
    codesOf(types.filter(({ mode }) => mode === 'max')),
    marking.find((type) => type.is_purchase)?.code ?? null,
  ]);
  return unpackHistory(row);
}

const codesOf = (types: readonly OutputType[]): string[] => types.map(({ code }) => code);

/** The parts that the statement has. PostgreSQL plans each combination once per connection. */
interface Parts {
  factMarks: boolean;
  orderMarks: boolean;
  stateMarks: boolean;
  signals: boolean;
}

async function readParts(pool: Queryable, parts: Parts, values: unknown[]): Promise<PackedHistory> {
  const columns = [
    ...(parts.factMarks ? [`(${factMarks(OPERANDS)}) as "factMarks"`] : []),
    ...(parts.orderMarks ? [`(${orderMarks(OPERANDS)}) as "orderMarks"`] : []),
    ...(parts.stateMarks ? [`(${stateMarks(OPERANDS, false)}) as "stateMarks"`] : []),
    ...(parts.signals
      ? [
          `(${latestFacts(OPERANDS)}) as facts`,
          `(${latestStates(OPERANDS, false)}) as states`,
          `(${unexpandedOrders(OPERANDS)}) as orders`,
        ]
      : []),
  ];
  if (columns.length === 0) return {};
  const { rows } = await pool.query<PackedHistory>({
    name: `output-history-${[parts.factMarks, parts.orderMarks, parts.stateMarks, parts.signals].map(Number).join('')}`,
    text: `${PARAMETERS} select ${columns.join(', ')}`,
    values,
  });
  return rows[0] ?? {};
}

const OPERANDS: HistoryOperands = {
  members: '$2::bigint[]',
  hidingTypes: '$3::text[]',
  exclusionTypes: '$4::text[]',
  since: '$5::timestamptz',
  maxTypes: '$6::text[]',
  purchaseType: '$7::text',
};
/** The parameters are named here because not every combination of parts uses all of them. */
const PARAMETERS =
  'with parameters as (select $1::text, $2::bigint[], $3::text[], $4::text[], $5::timestamptz, $6::text[], $7::text)';
