/** Check constraints that repeat a list from the code: a new value needs a migration that widens them. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROLES } from '../../domain/accounts/roles.ts';
import { CHECK_STATES } from '../../domain/analysis/capabilities.ts';
import { ITEM_STATUSES, ITEM_TYPES, MEDIA_KINDS } from '../../domain/analysis/steps.ts';
import { EVENT_MODES, VALUE_KINDS } from '../../domain/events/eventTypes.ts';
import { PROPERTY_TYPES } from '../../domain/items/properties.ts';
import { IMPORT_FORMATS, IMPORT_STATES } from '../../domain/jobs/imports.ts';
import { JOB_KINDS } from '../../domain/jobs/jobs.ts';
import { LANGUAGES } from '../../domain/language.ts';
import { ORDER_STATUSES } from '../../domain/orders/orderLines.ts';
import { GENDERS } from '../../domain/people/profile.ts';
import { EXPORT_FORMATS, EXPORT_MAIL, EXPORT_STATES } from '../../domain/reports/exports.ts';
import { SITE_ORDER_STATUSES } from '../../domain/sites/siteFacts.ts';
import { GOAL_TYPES } from '../../domain/sites/goalDefinition.ts';
import { MODEL_KINDS, MODEL_STATES } from '../../domain/training/models.ts';
import { DELIVERY_STATUSES } from '../../domain/webhooks/deliveryStates.ts';
import { RECOVERY_STATES } from '../../domain/webhooks/recovery.ts';
import { SUBSCRIBABLE_EVENTS, TEST_EVENT } from '../../domain/webhooks/webhookRequest.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it.each<[string, readonly string[]]>([
  ['cabinet_tokens_role_check', ROLES],
  ['deliveries_event_check', [...SUBSCRIBABLE_EVENTS, TEST_EVENT]],
  ['deliveries_status_check', DELIVERY_STATUSES],
  ['event_types_mode_check', EVENT_MODES],
  ['event_types_value_kind_check', VALUE_KINDS],
  ['imports_format_check', IMPORT_FORMATS],
  ['imports_state_check', IMPORT_STATES],
  ['item_media_kind_check', MEDIA_KINDS],
  ['item_properties_type_check', PROPERTY_TYPES],
  ['items_status_check', ITEM_STATUSES],
  ['items_type_check', ITEM_TYPES],
  ['jobs_kind_check', JOB_KINDS],
  ['orders_status_check', ORDER_STATUSES],
  ['outbox_kind_check', ['item', 'delivery', 'exports', ...JOB_KINDS]],
  ['output_models_kind_check', MODEL_KINDS],
  ['output_models_state_check', MODEL_STATES],
  ['profiles_gender_check', GENDERS],
  ['provider_checks_state_check', CHECK_STATES],
  ['report_exports_format_check', EXPORT_FORMATS],
  ['report_exports_language_check', LANGUAGES],
  ['report_exports_mail_check', EXPORT_MAIL],
  ['report_exports_state_check', EXPORT_STATES],
  ['site_goals_type_check', GOAL_TYPES],
  ['site_orders_status_check', SITE_ORDER_STATUSES],
  ['users_language_check', LANGUAGES],
  ['users_role_check', ROLES],
  ['webhook_recoveries_state_check', RECOVERY_STATES],
])('%s allows exactly the values in the code', async (constraint, values) => {
  const { rows } = await database.pool.query<{ value: string }>(
    `select (regexp_matches(pg_get_constraintdef(oid), '''([^'']*)''', 'g'))[1] as value from pg_constraint
      where conname = $1 and conparentid = 0`,
    [constraint],
  );
  expect(rows.map(({ value }) => value).sort()).toEqual(values.toSorted());
});
