/** Rules of the decisions, §5 and §6: events, users and orders of the content API; of §14, deletions and links. */
import { rule, type Chapter } from '../../rule.ts';

export const peopleDecisions: readonly Chapter[] = [
  {
    id: 'decisions-events',
    title: 'Decisions: events',
    rules: [
      rule('default-types', 'twelve, each with its mode, weight, kind of value and flags', 'types of a new project'),
      rule('types-editable', 'in the cabinet, at once', 'types can be changed'),
      rule('fact', 'one row for each event'),
      rule(
        'window',
        'a second fact of the same person, item and type within it is a duplicate and changes nothing',
        'dedup_window_sec',
      ),
      rule('max', 'one row for each person, item and type, with the largest value'),
      rule('state', 'the latest occurred_at counts, in whichever order events arrive'),
      rule('impression-counters', 'by day, item, surface and position bucket, and no row for each', 'impressions'),
      rule(
        'impression-ids',
        'remembered as hashes for 30 days, the setting IMPRESSION_ID_DAYS; then a repeat counts again',
        'ids of impressions',
      ),
      rule('order-managed-id', 'o: and 32 hexadecimal digits in lower case, of any type', 'order_managed, by id'),
      rule(
        'order-managed-order',
        'a purchase with the order_id of an order of the same project, cancelled or not',
        'order_managed, by order',
      ),
      rule(
        'whole-request',
        'a wrong JSON type, an unknown field or a missing id, type, item or user in any element is 422',
        'faults of the whole request',
      ),
      rule(
        'element-values',
        'a wrong length, range, alphabet or time rejects its event: invalid_value',
        'faults of one event',
      ),
      rule('impossible-item', 'unknown_item', 'an item id that cannot exist'),
      rule('malformed-identifier', 'invalid_user', 'a wrong identifier'),
      rule('no-user', 'no_user', 'an empty user'),
      rule('every-event', 'is accepted, a duplicate or rejected: the sum is the number sent', 'every event'),
      rule('first-of-two', 'counts; a rejected one leaves its id free', 'the first of two equal ids'),
      rule('ids-of-deleted', 'stay known as hashes, so a repeat changes nothing', 'ids of events of deleted people'),
    ],
  },
  {
    id: 'decisions-people',
    title: 'Decisions: users',
    rules: [
      rule('precedence', 'user_id before anonymous_id before fingerprint_uuid', 'identity'),
      rule('later-events', 'belong to the user', 'later events of a linked anonymous_id'),
      rule('verified', 'seen together with a user_id', 'a verified fingerprint'),
      rule('undisputed', 'seen with one user only', 'an undisputed fingerprint'),
      rule('link-transaction', 'moves the identity, merges the profile and counts, all or nothing', 'link'),
      rule('events-moved', 'the stored events of the device; no impressions', 'events_moved'),
      rule('link-readers', 'find the history of the device under its user from the link on', 'link: readers'),
      rule('link-rewriting', 'is done in chunks by a workflow, which is started through the outbox', 'link: rows'),
      rule(
        'link-fallback',
        'moves the history of an undisputed fingerprint; with an anonymous_id that was seen, the fingerprint is left alone',
        'link by an anonymous_id that was never seen',
      ),
      rule('delete-transaction', 'ends the generation of the identity, all or nothing', 'delete'),
      rule('delete-unreadable', 'nothing of the person is readable after the answer', 'delete: readers'),
      rule(
        'delete-purge',
        'a workflow removes identifiers, logins, events, orders, signals, profile and snapshots in chunks',
        'delete: rows',
      ),
      rule('delete-any', 'whatever any of the identifiers names is deleted', 'delete: identifiers'),
      rule('without-temporal', 'both are answered', 'link and delete without Temporal'),
    ],
  },
  {
    id: 'decisions-orders',
    title: 'Decisions: orders',
    rules: [
      rule('one-workflow', 'for a request, however many orders it has', 'one workflow'),
      rule('locked', 'during its expansion: a write comes before or after', 'an order is locked'),
      rule('skips', 'revisions that are outdated, and orders of deleted people', 'the expansion skips'),
      rule(
        'replaced-lines',
        'new lines are added, vanished ones removed, and unchanged ones not touched',
        'a repeated order',
      ),
      rule('line-id', 'o: and 32 digits of the SHA-256 of order_id, a line break and item', 'the id of a line'),
      rule('accepted', 'counts the lines as sent, before they are summed'),
      rule('weighted-price', 'the average by quantity', 'the price of summed lines'),
      rule('new-item', 'exists before the answer, and is never analysed', 'an item created by an order'),
    ],
  },
];
