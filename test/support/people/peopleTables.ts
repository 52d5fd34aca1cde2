/**
 * The tables with data about people, and how a row moves to another person, is erased or expires.
 * test/db/peopleTables.test.ts compares the list with the database: the test finds a table by the names of its columns
 * or by its foreign key to another such table, so a table that names people in a new way has to be added by hand. The
 * tests of erasing require a row in each of PROJECT_TABLES and SITE_TABLES, so they notice a table that nothing erases.
 */

/** A file of db/ with the statement, or a sentence that says why there is none. */
type Way = string;

interface RowFates {
  /** The statement that moves the rows when two people turn out to be one. */
  moves: Way;
  /** The statement that deletes the rows when a person is deleted. */
  erases: Way;
  /** The statement that deletes the rows after some time, without a request. */
  expires: Way;
}

interface SiteRowFates extends RowFates {
  /** Where the ledger of deletions finds a visitor or a user whom only this table knows. */
  known: Way;
}

const KEPT = 'kept as long as the person';
const OF_VISITOR = 'stays with its visitor';
const OF_PERSON = 'belongs to a row of site_people';
const LEDGER = 'sitePeople/knownSitePeople.ts';

/** Tables about the people of projects: by keys of `identities`, or by the integrator's own ids. */
export const PROJECT_TABLES: Readonly<Record<string, RowFates>> = {
  identities: { moves: 'people/linkUser.ts', erases: 'people/purge.ts', expires: KEPT },
  device_logins: { moves: 'names users, not devices', erases: 'people/purge.ts', expires: KEPT },
  profiles: { moves: 'people/profiles.ts', erases: 'people/purge.ts', expires: KEPT },
  events: { moves: 'people/moveHistory.ts', erases: 'people/purge.ts', expires: KEPT },
  event_states: { moves: 'people/moveHistory.ts', erases: 'people/purge.ts', expires: KEPT },
  orders: { moves: 'people/moveHistory.ts', erases: 'people/purge.ts', expires: KEPT },
  output_snapshots: {
    moves: 'people/moveHistory.ts',
    erases: 'people/purge.ts',
    expires: 'output/snapshots.ts',
  },
  event_rejections: {
    moves: 'shows what was sent',
    erases: 'events/rejections.ts',
    expires: 'events/rejections.ts',
  },
  event_changes: {
    moves: 'is counted within minutes',
    erases: 'holds only internal numbers',
    expires: 'popularity/waitingChanges.ts',
  },
  recent_states: {
    moves: 'is gone within an hour',
    erases: 'holds only internal numbers',
    expires: 'events/latest.ts',
  },
  experiment_people: {
    moves: 'belongs to the id by which the variant was drawn',
    erases: 'people/experimentPeople.ts',
    expires: 'people/experimentPeople.ts',
  },
  forgotten_lots: {
    moves: 'is about deleted people',
    erases: 'is needed after the deletion',
    expires: 'people/experimentPeople.ts',
  },
};

/** Tables about the people of sites: visitors, and users by the site's own ids. */
export const SITE_TABLES: Readonly<Record<string, SiteRowFates>> = {
  collect_inbox: {
    moves: OF_VISITOR,
    erases: 'siteDeletions/purgeVisitor.ts',
    expires: 'visits/inbox.ts',
    known: LEDGER,
  },
  collect_failed: {
    moves: OF_VISITOR,
    erases: 'siteDeletions/purgeVisitor.ts',
    expires: 'sites/retention.ts',
    known: LEDGER,
  },
  site_visitors: {
    moves: 'sitePeople/visitorLinks.ts',
    erases: 'siteDeletions/purgeVisitor.ts',
    expires: 'sitePeople/deleteOldPeople.ts',
    known: LEDGER,
  },
  site_visits: {
    moves: OF_VISITOR,
    erases: 'siteDeletions/purgeVisitor.ts',
    expires: 'sites/retention.ts',
    known: LEDGER,
  },
  site_recounts: {
    moves: OF_VISITOR,
    erases: 'siteDeletions/purgeVisitor.ts',
    expires: 'visits/goalCounts.ts',
    known: 'is about a visit',
  },
  site_conversions: {
    moves: 'siteFacts/giveFactsToUsers.ts',
    erases: 'siteDeletions/userDeletions.ts',
    expires: 'sites/retention.ts',
    known: LEDGER,
  },
  site_orders: {
    moves: 'siteFacts/giveFactsToUsers.ts',
    erases: 'siteDeletions/userDeletions.ts',
    expires: 'sites/retention.ts',
    known: LEDGER,
  },
  site_people: {
    moves: 'sitePeople/moveToUsers.ts',
    erases: 'sitePeople/deleteSitePerson.ts',
    expires: 'sitePeople/deleteOldPeople.ts',
    known: LEDGER,
  },
  site_person_values: {
    moves: 'sitePeople/moveToUsers.ts',
    erases: 'sitePeople/deleteSitePerson.ts',
    expires: 'sitePeople/deleteOldPeople.ts',
    known: OF_PERSON,
  },
  site_person_interests: {
    moves: 'sitePeople/moveToUsers.ts',
    erases: 'sitePeople/deleteSitePerson.ts',
    expires: 'sitePeople/deleteOldPeople.ts',
    known: OF_PERSON,
  },
  site_visitor_users: {
    moves: 'is the link itself',
    erases: 'sitePeople/deleteSitePerson.ts',
    expires: 'sitePeople/deleteOldPeople.ts',
    known: LEDGER,
  },
  site_fingerprints: {
    moves: OF_VISITOR,
    erases: 'sitePeople/deleteSitePerson.ts',
    expires: 'sitePeople/deleteOldPeople.ts',
    known: 'comes with a hit of its visitor',
  },
  site_recordings: {
    moves: OF_VISITOR,
    erases: 'recordings/deleteRecordings.ts',
    expires: 'recordings/deleteRecordings.ts',
    known: LEDGER,
  },
  lake_failed: {
    moves: OF_VISITOR,
    erases: 'siteDeletions/purgeVisitor.ts',
    expires: 'sites/retention.ts',
    known: 'comes from a visit or a fact',
  },
};

/** Requests for deletions; each is removed once its deletion is complete. */
export const REQUEST_TABLES: readonly string[] = ['visitor_deletions', 'user_deletions'];

/** Tables whose rows are parts of a person's row in another table, and the file that removes them with it. */
export const PART_TABLES: Readonly<Record<string, { of: string; erases: Way }>> = {
  order_lines: { of: 'orders', erases: 'cascades from orders' },
  site_recording_chunks: { of: 'site_recordings', erases: 'recordings/deleteRecordings.ts' },
};

/** Tables with only hashes or order ids, and the file that removes their rows after use or after some time. */
export const ANONYMOUS_TABLES: Readonly<Record<string, Way>> = {
  collected_events: 'collect/deleteOldEventKeys.ts',
  deletion_ledger: 'people/deletionLedger.ts',
  order_requests: 'orders/expandOrders.ts',
  seen_event_ids: 'events/rememberedIds.ts',
};
