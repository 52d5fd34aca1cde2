/** GET /visitors/{visitor_id} and GET /network. */
import Type from 'typebox';
import { readNetwork } from '../../db/sitePeople/networkSettings.ts';
import { findVisitor } from '../../db/sitePeople/readAudience.ts';
import { toWholeSeconds } from '../../domain/dateTime.ts';
import { nullable, strictObject } from '../../domain/schemas/schema.ts';
import { notFound } from '../http/errors.ts';
import { Attributes, ATTRIBUTES_EXAMPLE, attributesOf } from './attributesAnswer.ts';
import { define, visitorId } from './analyticsOperation.ts';

const moment = (description: string) => nullable(Type.String({ format: 'date-time', description }));

const VisitorOut = Type.Object(
  {
    visitor_id: Type.String(),
    attributes: Attributes,
    first_visit_at: moment('Null while the first hits are being ingested'),
    last_visit_at: moment('Start of the last visit'),
    visits: Type.Integer({ minimum: 0 }),
  },
  { title: 'VisitorOut' },
);

export const getVisitor = define({
  method: 'get',
  path: '/visitors/{visitor_id}',
  operationId: 'getVisitor',
  tag: 'visitors',
  summary: 'Read a visitor',
  description: 'Attributes are those of the user that the visitor is linked to, if there is one.',
  params: strictObject({ visitor_id: visitorId }),
  replies: {
    200: {
      description: 'The visitor',
      schema: VisitorOut,
      example: {
        visitor_id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
        attributes: ATTRIBUTES_EXAMPLE,
        first_visit_at: '2026-11-01T07:20:11Z',
        last_visit_at: '2026-11-20T09:00:00Z',
        visits: 4,
      },
    },
  },
  errors: [404],
  async handle({ caller, params }, { pool }) {
    const visitor = await findVisitor(pool, caller.siteId, params.visitor_id.toLowerCase());
    if (!visitor) throw notFound();
    return {
      status: 200,
      body: {
        visitor_id: visitor.visitorId,
        attributes: attributesOf(visitor.values),
        first_visit_at: toSeconds(visitor.firstVisitAt),
        last_visit_at: toSeconds(visitor.lastVisitAt),
        visits: visitor.visits,
      },
    };
  },
});

function toSeconds(moment: Date | null): string | null {
  return moment && toWholeSeconds(moment);
}

export const getNetwork = define({
  method: 'get',
  path: '/network',
  operationId: 'getNetwork',
  tag: 'visitors',
  summary: 'Read the network settings of the site',
  description:
    'Sites of one installation that take part share the attributes of a person, whom they recognise by hashes of e-mail or phone.',
  replies: {
    200: {
      description: 'Settings',
      schema: Type.Object(
        {
          enabled: Type.Boolean({ description: 'Whether the site takes part' }),
          sensitive_topics: Type.Boolean({
            description: 'Whether sensitive topics are exchanged with sites that exchange them too',
          }),
          sites: Type.Integer({ minimum: 0, description: 'How many other sites this one shares with' }),
        },
        { title: 'Network' },
      ),
      example: { enabled: true, sensitive_topics: false, sites: 3 },
    },
  },
  errors: [],
  async handle({ caller }, { pool }) {
    const { enabled, sensitiveTopics, sites } = await readNetwork(pool, caller.siteId);
    return { status: 200, body: { enabled, sensitive_topics: sensitiveTopics, sites } };
  },
});
