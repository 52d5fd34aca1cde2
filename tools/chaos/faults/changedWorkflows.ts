/** Deploys changed workflow code while workflows run: first a careless change, then a correct one. */
import type { Fault, FaultNotes, Stage } from '../fault.ts';
import { until } from '../../../test/support/whole/until.ts';
import { holdMedia } from '../support/heldMedia.ts';
import { changeWorkflows, writeChange } from '../support/changedWorkflows.ts';
import { freeze } from '../support/freeze.ts';
import { makeRelease, type Release } from '../support/release.ts';
import {
  waitingForActivity,
  stillRunning,
  hasNondeterminismFailure,
  terminateBlocked,
  type RunningWorkflow,
} from '../support/workflowState.ts';

/** Workflow types that the release changes; at least one workflow of each must be running. */
const TYPES = ['item', 'delivery', 'expandOrders'];
/** Retries begin some time after the first attempt failed (domain/webhooks/retrySchedule.ts). */
const TIMEOUT_MS = 600_000;

export const changedWorkflows: Fault = createChangedWorkflows();

function createChangedWorkflows(): Fault {
  let release: Release | null = null;
  return {
    name: 'changed-workflows',
    title:
      'while items, orders and webhook retries are under way the workflow code is deployed with more work at its beginning: without patched() (they stop and stay), then with it (they go on)',
    brief: null,
    async setting() {
      const made = await makeRelease();
      release = made;
      await made.bundle();
      const env = { RECONCILE_INTERVAL_SECONDS: '20', WORKFLOW_BUNDLE: made.workflowBundle };
      return { env, root: made.root, undo: () => made.remove() };
    },
    inject(stage) {
      if (release === null) throw new Error('there is no release to change');
      return deployTwice(stage, release);
    },
  };
}

async function deployTwice(stage: Stage, release: Release): Promise<FaultNotes> {
  const held = await holdWorkflows(stage);
  try {
    await changeWorkflows(release, 'careless');
    await deploy(stage, release);
  } finally {
    await held.release();
  }
  const blocked = await untilBlocked(stage, held.workflows);
  stage.log(
    `${blocked.length} of ${held.workflows.length} workflows were blocked by the careless change, and none ended`,
  );
  await writeChange(release, 'patched');
  await deploy(stage, release);
  await until(
    'the held workflows',
    () => stillRunning(stage.temporal, held.workflows),
    (left) => left.length === 0,
    TIMEOUT_MS,
  );
  const begunCarelessly = await terminateCarelessWorkflows(stage);
  stage.log(
    `all of them continued with the correct change; ${begunCarelessly} that had begun with the careless one were terminated, so that the reconciler starts them again`,
  );
  return {
    'workflows held': held.workflows.length,
    'stopped at the careless change': blocked.length,
    'begun anew': begunCarelessly,
  };
}

/**
 * Terminates the workflows that began under the careless release. Each blocks at its next step, which some reach a
 * little later.
 */
async function terminateCarelessWorkflows(stage: Stage): Promise<number> {
  let ended = 0;
  for (let round = 0; round < 4; round += 1) {
    ended += await terminateBlocked(stage.temporal, TYPES);
    await stage.wait(5);
  }
  return ended;
}

/** Replaces a worker as a deploy does: SIGTERM, and the launcher starts the code that is in the folder by then. */
async function deploy(stage: Stage, release: Release): Promise<void> {
  await release.bundle();
  const back = await stage.replacement('workflow');
  const pid = (await stage.stack.pids())['workflow'];
  if (pid === undefined) throw new Error('there is no workflow worker');
  process.kill(pid, 'SIGTERM');
  await back();
}

interface HeldWorkflows {
  workflows: RunningWorkflow[];
  release(): Promise<void>;
}

/**
 * Holds items that wait for their media, and retries and orders whose workers are frozen: each workflow has begun and
 * cannot end.
 */
async function holdWorkflows(stage: Stage): Promise<HeldWorkflows> {
  const {
    temporal,
    receivers: { troubled },
    stack,
  } = stage;
  const media = await holdMedia(stage.media);
  troubled.mode = { status: 500 };
  await until(
    'failed attempts',
    async () => troubled.requests.filter(({ answered }) => answered === 500).length,
    (failed) => failed > 0,
  );
  await stage.wait(45);
  const [thawWebhook, thawData] = [await freeze(stack, 'webhook'), await freeze(stack, 'data')];
  const release = async (): Promise<void> => {
    troubled.mode = { status: 204 };
    media.release();
    thawWebhook();
    thawData();
  };
  try {
    const look = () => Promise.all(TYPES.map((type) => waitingForActivity(temporal, type)));
    const workflows = await until(
      'workflows of each kind',
      look,
      (found) => found.every((some) => some.length > 0),
      TIMEOUT_MS,
    );
    return { workflows: workflows.flat(), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** @throws when the change ended one of them, or when not every type noticed it */
async function untilBlocked({ temporal }: Stage, workflows: readonly RunningWorkflow[]): Promise<RunningWorkflow[]> {
  const look = async (): Promise<RunningWorkflow[]> => {
    const verdicts = await Promise.all(workflows.map((one) => hasNondeterminismFailure(temporal, one)));
    return workflows.filter((_, index) => verdicts[index]);
  };
  const blocked = await until(
    'the careless change',
    look,
    (found) => TYPES.every((type) => found.some((one) => one.type === type)),
    TIMEOUT_MS,
  );
  const running = await stillRunning(temporal, blocked);
  if (running.length < blocked.length)
    throw new Error(`${blocked.length - running.length} workflows were ended by the careless change`);
  return blocked;
}
