/** Actions and readers for tests of analysis volume in one project. */
import type pg from 'pg';
import { planItem } from '../../../db/analysis/plan.ts';
import { putItem } from '../../../db/items/writeItems.ts';
import { updateProject } from '../../../db/accounts/projects.ts';
import { listProjectsThatWait, resumeItems } from '../../../db/analysis/volume.ts';
import type { Step, StepState } from '../../../domain/analysis/steps.ts';
import { monthOf } from '../../../domain/analysis/volume.ts';
import type { ItemPlan } from '../../../domain/jobs/workflowMessages.ts';
import { plain, snapshot } from './items.ts';
import { createTestProject, textItem } from '../project.ts';

export const NOVEMBER = new Date('2026-11-21T12:00:00Z');
export const DECEMBER = new Date('2026-12-01T12:00:00Z');

export class VolumeStage {
  readonly pool: pg.Pool;
  readonly projectId: string;

  private constructor(pool: pg.Pool, projectId: string) {
    this.pool = pool;
    this.projectId = projectId;
  }

  static async open(pool: pg.Pool): Promise<VolumeStage> {
    return new VolumeStage(pool, await createTestProject(pool));
  }

  async limit(monthlyVolume: number | null): Promise<void> {
    await updateProject(this.pool, this.projectId, { monthlyVolume });
  }

  /** Puts an item with a text of `length` characters. */
  async put(itemId: string, length = 10): Promise<void> {
    await putItem(this.pool, {
      projectId: this.projectId,
      itemId,
      content: textItem({ title: null, body: 'ж'.repeat(length) }),
      origin: 'api',
      requestId: null,
    });
  }

  plan(itemId: string, now = NOVEMBER): Promise<ItemPlan | null> {
    return planItem(this.pool, { projectId: this.projectId, itemId }, {}, { now });
  }

  look(itemId: string) {
    return snapshot(this.pool, this.projectId, itemId);
  }

  async states(itemId: string): Promise<Record<Step, StepState>> {
    return plain((await this.look(itemId)).steps);
  }

  /** Returns the work for a step of an item at its current revision. */
  async work<S extends Step>(itemId: string, step: S) {
    const { steps } = await this.look(itemId);
    return { projectId: this.projectId, itemId, step, revision: steps[step].revision };
  }

  async volume(now = NOVEMBER): Promise<{ used: number; reserved: number }> {
    const { rows } = await this.pool.query<{ used: number; reserved: number }>(
      'select used::int, reserved::int from analysis_volume where project_id = $1 and month = $2',
      [this.projectId, monthOf(now)],
    );
    return rows[0] ?? { used: 0, reserved: 0 };
  }

  /** Counts the rows of reservations. */
  async held(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      'select count(*)::int from volume_reservations where project_id = $1',
      [this.projectId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Reads the flags that the database derived from an item's steps. */
  async flags(itemId: string): Promise<{ waiting: boolean; units: number | null }> {
    const { rows } = await this.pool.query<{ waiting: boolean; units: number | null }>(
      'select waiting, waiting_units as units from items where project_id = $1 and id = $2',
      [this.projectId, itemId],
    );
    return rows[0] ?? { waiting: false, units: null };
  }

  async putWaiting(ids: readonly string[], length = 10): Promise<void> {
    for (const id of ids) {
      await this.put(id, length);
      await this.plan(id);
    }
  }

  /** Runs one round of the relay's loop for this project. */
  async resume(now = NOVEMBER, limit = 100): Promise<number> {
    const project = (await listProjectsThatWait(this.pool, monthOf(now))).find(
      ({ projectId }) => projectId === this.projectId,
    );
    return project ? resumeItems(this.pool, { ...project, limit, priority: 4 }) : 0;
  }
}
