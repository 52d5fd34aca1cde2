/** Endpoints of the analytics API and their rules. */
import { rule, testsIn, type Chapter } from '../../rule.ts';
import {
  cabinetReports,
  conversionForm,
  conversions,
  described,
  description,
  engines,
  orders,
  otherReportFault,
  refusedUser,
  refusedVisitor,
  reportLimits,
  reports,
  users,
  visitors,
  wholeReports,
} from './refs.ts';

const health = testsIn('api/analytics/health');
const statuses = description('the description of the analytics API › names the documented statuses of each operation');

export const endpointChapters: Chapter[] = [
  {
    title: 'Analytics: endpoints',
    rules: [
      rule(
        'POST /conversions',
        'up to 1,000; 202 with accepted, duplicates, rejected',
        conversions('POST /conversions › takes a thousand in one request'),
        conversionForm(
          'a fault of form fails the whole request › too_many: more than a thousand, and nothing else is told of them',
        ),
        described('postConversions'),
        statuses,
      ),
      rule(
        'POST /orders',
        'up to 500; 202 with accepted, duplicates, rejected',
        orders('POST /orders › takes five hundred in one request'),
        orders('a fault of form fails the whole request › too_many: more than 500'),
        described('postOrders'),
      ),
      rule(
        'POST /reports',
        '200 with the report',
        described('postReports'),
        reports('answers the report without what only the cabinet is told, with labels in English'),
        wholeReports('show what the tag tells as soon as it is taken in, visits that are open among it'),
        wholeReports("show what the site's server tells: conversions, orders, refunds, people"),
      ),
      rule(
        'POST /visitors/attributes',
        'up to 100; a result for each',
        visitors('POST /visitors/attributes › takes 100 visitors and no more'),
        visitors('POST /visitors/attributes › keeps every field and answers with what is held'),
        visitors('POST /visitors/attributes › merges: fields that are sent replace, the others stay'),
        visitors('POST /visitors/attributes › reads with an identifier alone, and changes nothing'),
        visitors(
          'POST /visitors/attributes › does not know visitors, users and fingerprints that nobody has seen, of other sites neither',
        ),
      ),
      rule(
        'GET /visitors/{visitor_id}',
        'attributes, first and last visit, visits',
        visitors('GET /visitors/{visitor_id} › answers with attributes and visits, at once after every write'),
        visitors(
          'GET /visitors/{visitor_id} › answers with what is held of the user that the visitor is linked to now',
        ),
        visitors(
          'GET /visitors/{visitor_id} › answers 404 for a visitor that is not known, of another site as well, and 400 for what is no UUID',
        ),
      ),
      rule(
        'GET /network',
        'settings of the network',
        visitors('GET /network › tells the settings of the site and how many others take part'),
      ),
      rule(
        'POST /users',
        'up to 500; 202 with {index, ok, error} of each',
        users('POST /users › takes 500 records and an empty batch; the same user twice counts twice, in order'),
        users('POST /users › answers 422 too_many for 501 records'),
        described('postUsers'),
      ),
      rule(
        'GET /openapi.json',
        'the description, without authorization',
        description('the description of the analytics API › asks for a key everywhere but at the health and itself'),
        described('getDescription'),
      ),
      rule(
        'GET /health',
        'ok or degraded, without authorization',
        health('the health of the analytics › is told without a key, and no more than the state'),
        health('the health of the analytics › is 200 and degraded, without a key, while the database is away'),
        health('the health of the analytics › is degraded while hits wait for over a minute'),
      ),
    ],
  },
  {
    title: 'Analytics: rules of endpoints',
    rules: [
      rule(
        '1, unknown_goal',
        'no enabled js goal of that code',
        conversions(
          'a conversion is rejected › unknown_goal: none of that code, not of the type js, not enabled, not of its form',
        ),
        conversions('a conversion is rejected › unknown_goal no more from the moment that the goal is there'),
      ),
      rule(
        '1, unknown_visitor',
        'visitor not found',
        conversions(
          'a conversion is rejected › unknown_visitor: a visitor or a user that the site does not know, another site knows',
        ),
      ),
      rule(
        '1, too_old',
        'the visit is older than 90 days',
        conversions('a conversion is rejected › too_old: no visit at or before it, within 90 days'),
      ),
      rule(
        '1, 202',
        'a rejected record fails nothing else',
        conversions('a conversion is rejected › and does not stop the others'),
      ),
      rule(
        '2',
        'unknown_visitor, too_old, invalid_products',
        orders('an order is rejected › unknown_visitor and too_old, and does not stop the others'),
        orders('an order is rejected › invalid_products: %s'),
      ),
      rule(
        '3',
        'rights of a viewer; 422 of fields; 503 when not even a sample is done in time',
        cabinetReports('POST /sites/{id}/reports › is for viewers of the site, in a browser and by a token'),
        otherReportFault('does not hide the others'),
        reportLimits('free the place of a report that fails, and of one that is refused'),
        engines('an engine › gives the report up when the sample takes too long as well'),
      ),
      rule(
        '4, POST /visitors/attributes',
        'a fault of form in one element refuses all, named by its number',
        refusedVisitor(
          "['visitors[0].visitor_id', 'required'",
          "['visitors[0].visitor_id', 'invalid_value'",
          "['visitors[0].visitor_id', 'invalid_type'",
          "['visitors[0].user_id', 'too_long'",
        ),
      ),
      rule(
        '4, POST /users',
        'likewise',
        refusedUser(
          "['users[1].user_id', 'required'",
          "['users[1].email', 'invalid_value'",
          "['users[1].email', 'invalid_type'",
          "['users[1].email', 'too_long'",
        ),
      ),
      rule(
        '5, pii_not_allowed',
        'of one record, and the only code; keys are compared whatever their case and separators, and by their parts (docs/decisions/personal-data.md)',
        users('POST /users › refuses a record whose params have the key %s at any depth, and stores the others'),
      ),
      rule(
        '5, 503',
        'nothing of the batch is stored',
        users('POST /users › answers 503 while the database is away, and stores nothing of the batch'),
      ),
      rule(
        '6',
        'the same values again; interests grow stronger',
        users('POST /users › may be sent again: the same values, stronger interests'),
        users('POST /users › counts every batch of ten that come at once for the same users'),
      ),
      rule(
        '7',
        'phone 64, city 200 characters',
        users('POST /users › takes values at their limits'),
        refusedUser("['users[1].phone', 'too_long'", "['users[1].city', 'too_long'"),
      ),
    ],
  },
];
