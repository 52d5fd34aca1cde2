/** The status of a medium and the states of its steps: what changes when a step ends for it. */
import type pg from 'pg';
import { DEPENDENCIES, MEDIA_STEPS, type MediaStep, type StepError } from '../../domain/analysis/steps.ts';
import type { MediumWork } from '../../domain/jobs/workflowMessages.ts';
import { discardNamedBlobs } from '../blobGarbage.ts';
import { deleteDrafts } from './drafts.ts';

/** A medium that could not be prepared gives no input to the steps that read the output of `prepare`. */
const MEDIUM_STATE_CHANGE = `
  status  = case when $4 = 'prepare' and $3 = 'failed' then 'failed' else status end,
  ${MEDIA_STEPS.map((step) => `${step} = case when $4 = '${step}' then $3 ${DEPENDENCIES[step].map((read) => `when $4 = '${read}' then 'skipped' `).join('')}else ${step} end`).join(',\n  ')},
  errors  = case when $4 = 'prepare' then '{}' else errors - $4 end
            || case when $5::jsonb is null then '{}' else jsonb_build_object($4::text, $5::jsonb) end,
  models  = case when $6::text is null then models - $4 else models || jsonb_build_object($4::text, $6::text) end`;

/** Stores how a step ended for a medium: its state, status, errors and model, and deletes results that no longer hold. */
export async function setMediumState(
  client: pg.PoolClient,
  ref: MediumWork,
  state: 'done' | 'skipped' | 'failed',
  error: Pick<StepError, 'code' | 'message'> | null,
  model: string | null = null,
): Promise<void> {
  if (state === 'done') await ENDINGS[ref.step].withResult(client, ref);
  else
    for (const step of [...DEPENDENTS[ref.step], ref.step]) await ENDINGS[step].withoutResult(client, { ...ref, step });
  await client.query(
    `update item_media set ${MEDIUM_STATE_CHANGE} where project_id = $1 and item_id = $2 and medium_id = $7`,
    [ref.projectId, ref.itemId, state, ref.step, error, model, ref.mediumId],
  );
}

const NO_DESCRIPTION = 'description = null, ocr_text = null, tags = null, safety = null, provenance = null';

type Deletion = (client: pg.PoolClient, ref: MediumWork) => Promise<void>;

/** The two ways in which a step ends for a medium, each with its removals. */
interface Ending {
  /** Deletes what earlier runs and attempts left and the new result did not replace. */
  withResult: Deletion;
  /** Deletes the results, so that an earlier analysis is not shown for a medium that now fails. */
  withoutResult: Deletion;
}

/** Each step with the steps on media that read its result, whose results end with it. */
const DEPENDENTS = Object.fromEntries(
  MEDIA_STEPS.map((step) => [step, MEDIA_STEPS.filter((other) => DEPENDENCIES[other].includes(step))]),
) as Record<MediaStep, MediaStep[]>;

const ENDINGS: Record<MediaStep, Ending> = {
  prepare: { withResult: async () => {}, withoutResult: deletePrepared },
  speech: {
    withResult: deleteDrafts,
    async withoutResult(client, ref) {
      await deleteTranscript(client, ref);
      await deleteDrafts(client, ref);
    },
  },
  vision: { withResult: clearLeftOutDescriptions, withoutResult: clearDescriptions },
};

const OF_MEDIUM = 'where project_id = $1 and item_id = $2 and medium_id = $3';
const keyOf = ({ projectId, itemId, mediumId }: MediumWork): string[] => [projectId, itemId, mediumId];

async function deleteTranscript(client: pg.PoolClient, ref: MediumWork): Promise<void> {
  await client.query(`delete from item_transcripts ${OF_MEDIUM}`, keyOf(ref));
}

async function clearDescriptions(client: pg.PoolClient, ref: MediumWork): Promise<void> {
  await client.query(`update item_frames set ${NO_DESCRIPTION} ${OF_MEDIUM}`, keyOf(ref));
}

/** Clears the description of each frame that this run left out; it came from an earlier run. */
async function clearLeftOutDescriptions(client: pg.PoolClient, ref: MediumWork): Promise<void> {
  await client.query(
    `update item_frames set ${NO_DESCRIPTION}
      where project_id = $1 and item_id = $2 and medium_id = $3 and description is not null and revision < $4`,
    [ref.projectId, ref.itemId, ref.mediumId, ref.revision],
  );
}

async function deletePrepared(client: pg.PoolClient, ref: MediumWork): Promise<void> {
  await discardNamedBlobs(client, ref);
  await client.query(`delete from item_frames ${OF_MEDIUM}`, keyOf(ref));
  await client.query(
    `update item_media set audio_key = null, subtitles_key = null, duration_sec = null, width = null, height = null, truncated = false
      ${OF_MEDIUM}`,
    keyOf(ref),
  );
}
