/** POST /conversions. */
import Type from 'typebox';
import { takeConversions, type SentConversion } from '../../db/siteFacts/takeServerFacts.ts';
import { withoutPersonalId } from '../../domain/privacy/personalIds.ts';
import { CONVERSION_REJECTIONS } from '../../domain/sites/siteFacts.ts';
import { DESCRIBED, strictObject, text, type Static } from '../../domain/schemas/schema.ts';
import { define } from './analyticsOperation.ts';
import {
  amount,
  batchResponse,
  occurredAt,
  readSubject,
  SUBJECT_CONDITION,
  SUBJECT_FIELDS,
  subjectRule,
} from './conversionAndOrderFields.ts';
import { MAX_AMOUNT } from '../../domain/sites/amountLimits.ts';

const MAX_CONVERSIONS = 1_000;

const ConversionIn = strictObject(
  {
    id: text(64, {
      minLength: 1,
      pattern: '^[ -~]+$',
      description: 'Id of the conversion: printable ASCII, unique within the site; a repeat counts once',
    }),
    goal: text(64, { description: 'Code of an enabled goal of type js' }),
    ...SUBJECT_FIELDS,
    occurred_at: Type.Optional(occurredAt),
    value: Type.Optional(
      amount(-MAX_AMOUNT, 'Takes precedence over the amount of the goal; in the currency of the site'),
    ),
  },
  {
    title: 'ConversionIn',
    description: 'visitor_id or user_id is required; visitor_id wins',
    [DESCRIBED]: SUBJECT_CONDITION,
  },
);

export const postConversions = define({
  method: 'post',
  path: '/conversions',
  operationId: 'postConversions',
  tag: 'conversions',
  summary: 'Send conversions of js goals',
  description:
    'Up to 1000 conversions. Each is attributed to the last visit that started at or before it, at most 90 days earlier. Rejected ones are listed and do not stop the others: unknown_goal (the site has no enabled js goal with that code), unknown_visitor, too_old (there is no such visit). A batch may be sent again.',
  body: {
    schema: strictObject(
      { conversions: Type.Array(ConversionIn, { maxItems: MAX_CONVERSIONS }) },
      { title: 'ConversionsRequest' },
    ),
    batch: { field: 'conversions', max: MAX_CONVERSIONS },
    rules: subjectRule('conversions'),
    example: {
      conversions: [
        {
          id: 'lead-1001',
          goal: 'lead',
          visitor_id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
          occurred_at: '2026-11-20T09:00:00Z',
          value: 1500,
        },
        { id: 'lead-1002', goal: 'lead', user_id: 'user-7' },
      ],
    },
  },
  replies: {
    202: {
      description: 'How many records were accepted, and which were rejected',
      schema: batchResponse('ConversionsResponse', CONVERSION_REJECTIONS),
      example: { accepted: 1, duplicates: 0, rejected: [{ index: 1, code: 'unknown_visitor' }] },
    },
  },
  errors: [413, 422],
  async handle({ caller, body }, { pool, contactKey }) {
    const receivedAt = new Date();
    const outcome = await takeConversions(
      pool,
      { siteId: caller.siteId, receivedAt },
      body.conversions.map((record) => readConversion(record, receivedAt, contactKey)),
    );
    return { status: 202, body: outcome };
  },
});

function readConversion(
  { id, goal, value, ...subject }: Static<typeof ConversionIn>,
  receivedAt: Date,
  contactKey: Buffer,
): SentConversion {
  return { id: withoutPersonalId(id, contactKey), goal, value: value ?? null, ...readSubject(subject, receivedAt) };
}
