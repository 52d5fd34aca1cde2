/** Does the data worker's part: reads a file that was dropped on the page. */
import { importNextLines } from '../../../activities/data/imports/nextLines.ts';
import { createLineValidator } from '../../../domain/schemas/importLine.ts';
import { createValidators } from '../../../domain/schemas/validation.ts';
import type { TestApi } from '../../api/support/testApi.ts';

const validate = createLineValidator(createValidators({ isMediaUrl: () => true }));

/** Runs all waiting imports. */
export async function runImports({ pool, blobs }: Pick<TestApi, 'pool' | 'blobs'>): Promise<void> {
  const { rows } = await pool.query<{ projectId: string; entityId: string }>(
    `select project_id as "projectId", id as "entityId" from imports where state in ('queued', 'running') order by id`,
  );
  for (const job of rows) {
    let state;
    do ({ state } = await importNextLines({ pool, blobs, validate }, job));
    while (state === 'queued' || state === 'running');
  }
}
