/** How every request for output begins: with its person, the pages before, the rules, and who judges by them. */
import type pg from 'pg';
import { readOutputPerson, type OutputPerson } from '../../db/output/person.ts';
import { createJudge, type Judge } from './candidates.ts';
import type { NamedPath } from './paths.ts';
import { readEarlierPages, type EarlierPages } from './pages.ts';
import type { OutputRequest } from './request.ts';
import { rulesOf, suppressedFor } from './rulesOf.ts';
import type { SnapshotWriter } from './snapshotWriter.ts';
import type { Asked } from '../selection/messages.ts';

export interface Opening {
  person: OutputPerson | null;
  earlier: EarlierPages;
  /** What selection goes by as well, so that it does not fill a page with what would be dropped. */
  asked: Pick<Asked, 'rules' | 'suppressed'>;
  judge: Judge;
}

const FIRST_PAGE: EarlierPages = { shown: new Set(), page: null };

/**
 * @param wanted whether the person's taste is asked for
 * @throws {LostPage} when the page that the cursor goes on from is not known
 * @throws when the database does not answer
 */
export async function openRequest(
  { pool, snapshots }: { pool: pg.Pool; snapshots: SnapshotWriter },
  request: OutputRequest<NamedPath>,
  wanted: { signals: boolean },
): Promise<Opening> {
  const { projectId, place, fields } = request;
  const [person, earlier] = await Promise.all([
    readOutputPerson(pool, projectId, request.identifiers, wanted),
    place === null ? FIRST_PAGE : readEarlierPages(pool, snapshots, projectId, place),
  ]);
  const asked = { rules: rulesOf(request, person), suppressed: suppressedFor(person) };
  const judge = createJudge({
    pool,
    projectId,
    ...asked,
    // A page that is asked for again keeps what was met since.
    unmetBy: earlier.page === null && leavesOutMet(request, person) ? person.memberIds : [],
    isTold: fields.length > 0,
  });
  return { person, earlier, asked, judge };
}

/** Whether what the person has met is not to come; what has no history keeps everything. */
export function leavesOutMet(
  { includeSeen }: Pick<OutputRequest<NamedPath>, 'includeSeen'>,
  person: OutputPerson | null,
): person is OutputPerson {
  return !includeSeen && person?.personalization === true;
}
