/** How many tests of webhooks a project may request, and how long it waits for the next one. */
import type { Queryable } from '../../pool.ts';

/** The content API's limit for each project. */
export const TESTS_PER_WINDOW = 10;
export const TEST_WINDOW_SECONDS = 600;

/** Deletes the tests before the window, so that few remain, and returns the wait in seconds. */
export async function secondsUntilNextTest(client: Queryable, projectId: string): Promise<number> {
  const { rows } = await client.query<{ wait: number }>(
    `with gone as (delete from webhook_tests where project_id = $1 and created_at <= now() - $2::int * interval '1 second')
     select ceil(extract(epoch from created_at + $2::int * interval '1 second' - now()))::int as wait
       from webhook_tests
      where project_id = $1 and created_at > now() - $2::int * interval '1 second'
      order by created_at desc offset $3 limit 1`,
    [projectId, TEST_WINDOW_SECONDS, TESTS_PER_WINDOW - 1],
  );
  const row = rows[0];
  return row === undefined ? 0 : Math.max(1, row.wait);
}
