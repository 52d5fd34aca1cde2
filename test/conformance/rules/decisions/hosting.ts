/** Rules of the decisions, §1, §2, §3, §11, and bodies and zones of §14: hosting, keys, the order of checks and the development stack. */
import { rule, type Chapter } from '../../rule.ts';

const hosting: Chapter = {
  id: 'decisions-hosting',
  title: 'Decisions: hosting',
  rules: [
    rule(
      'one-listener',
      'serves both APIs, the cabinet with its API, the tag with its intake, and signed links by path',
    ),
    rule(
      'own-hosts',
      'CONTENT_HOST and ANALYTICS_HOST also serve their own API at /api/v1; other hosts have nothing at that path',
    ),
    rule('https-default', 'REQUIRE_HTTPS is true unless it is set'),
    rule('https-required', 'a request over http gets 403 forbidden, whatever it is for'),
    rule('https-scheme', 'its own TLS, or X-Forwarded-Proto of a trusted proxy'),
    rule('client-address', 'X-Forwarded-For counts only from a trusted proxy'),
    rule('development', 'npm start listens on 127.0.0.1 over http'),
  ],
};

const keys: Chapter = {
  id: 'decisions-keys',
  title: 'Decisions: tenants and keys',
  rules: [
    rule('tenants', 'a client owns projects and sites: blocking it closes both'),
    rule('tenant-ids', '12 of a-z and 0-9'),
    rule('names', 'every key has a name'),
    rule('formats', 'ck_ and ak_ with 40, as_ with 24 of A-Z, a-z and 0-9'),
    rule('stored-hash', 'SHA-256 only, except for the tag key, which every page shows'),
    rule('stored-fields', 'the first 8 characters, created_at, last_used_at, revoked_at'),
    rule('last-used', 'written at most once a minute'),
    rule('shown-once', 'in the answer that creates it'),
    rule('other-kinds', 'a ck_ key on the analytics API and an ak_ key on the content API are 401'),
  ],
};

const order: Chapter = {
  id: 'decisions-order',
  title: 'Decisions: order of checks',
  rules: [
    rule('404-first', 'an unknown route or method, before 401'),
    rule('401-before-429', 'a missing or wrong key, before the limits'),
    rule('403-before-429', 'a closed project or site, before the limits'),
    rule('429-before-413', 'the limits, before the size of the body'),
    rule('413-before-400', 'the size of the body, before its form'),
    rule('400-before-413', 'not JSON or another type, before the number of elements'),
    rule('413-before-422', 'the number of elements (content API), before the fields'),
    rule('too_many', 'the number of elements (analytics API): 422, without faults of the fields'),
    rule('422-before-404', 'the fields, before the object'),
    rule('retry-after', 'whole seconds, at least 1'),
    rule(
      'request-id',
      'in every answer, errors and 404 of unknown routes included; it is the id of the client where that has the allowed form',
    ),
    rule('slow-body', 'a body that keeps coming is given its time; one that stops gets 408'),
    rule('zones', '+03 is a zone of a time'),
    rule('languages', 'messages of the content API are Russian, those of the analytics API English'),
    rule('other-method', '404 not_found for a method that the path does not have'),
    rule('buckets', "token buckets of one second's rate"),
    rule('address-bucket', "one minute's rate, shared by everything under /api/"),
  ],
};

const faults: Chapter = {
  id: 'decisions-faults',
  title: 'Decisions: faults of fields',
  rules: [
    rule('characters', 'Unicode code points'),
    rule('sizes', 'KB and MB are 1,024-based'),
    rule('unstorable', 'NUL and lone surrogates in any string: invalid_value'),
    rule('invalid_type', 'the wrong JSON type'),
    rule('required', 'a missing value'),
    rule('too_long', 'a string too long'),
    rule('invalid_value', 'anything else wrong with a value, unless it has a code of its own'),
    rule('nulls', 'available: null, and media: null in PATCH: invalid_type; media: null in PUT means none'),
    rule('large-object', 'over its KB limit: too_long'),
    rule('long-url', 'over 2,048 characters: too_long'),
    rule('fraction', '1.5 for an integer: invalid_type'),
    rule('paths', 'media[0].url, operations[3].op, user.user_id; the body itself is an empty string'),
    rule('long-array', 'too_long on the array (201 lines, 51 interests)'),
    rule('envelope-list', 'a batch that is not an array, or has an unknown field beside it: 422 for the request'),
    rule(
      'envelope-operation',
      'an operation with an unknown field, without op or with a wrong one, or with a missing, empty, mistyped or too long id: 422 for the request',
    ),
    rule('envelope-purchase', 'a project without purchase type: 422 for the request'),
    rule('elements', "faults of an element's data: its own error, with paths relative to it"),
    rule('one-body', 'the same error body in both APIs; details have a message in the content API only'),
  ],
};

const stack: Chapter = {
  id: 'decisions-stack',
  title: 'Decisions: the development stack',
  rules: [
    rule('settings', 'ATTUNE_DATA_DIR, PORT, POSTGRES_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT, with their defaults'),
    rule('networks', 'ALLOW_NETWORKS opens networks'),
    rule('certificates', 'NODE_EXTRA_CA_CERTS names certificates to trust'),
    rule('providers', 'settings of providers reach the services'),
    rule('given-servers', 'DATABASE_URL and TEMPORAL_ADDRESS are used instead of own servers'),
    rule('side-by-side', 'two stacks with different folders and ports'),
    rule('description', 'dev.json with addresses, keys and pids, of mode 0600'),
    rule('description-when', 'written when everything answers, removed at the stop'),
    rule('words', 'its addresses and keys are printed in words'),
  ],
};

export const hostingDecisions: readonly Chapter[] = [hosting, keys, order, faults, stack];
