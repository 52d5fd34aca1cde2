/** Compares everything that was accepted since the stage was opened with what is stored, delivered and waiting. */
import type { FullStage } from '../stage/stage.ts';
import { checkApi } from './api.ts';
import type { CheckContext } from './context.ts';
import { checkDeliveries } from './deliveries.ts';
import { checkFacts, checkImpressions, checkStates, checkTotals } from './events.ts';
import { Findings } from './findings.ts';
import { checkItems, checkVolume } from './items.ts';
import { checkOrders } from './orders.ts';
import { checkPeople } from './people.ts';
import { checkLake, checkSite } from './site.ts';
import type { UnfinishedWork } from './quiet.ts';
import { checkTrainings } from './trainings.ts';
import { checkWorkflows } from './workflows.ts';

const PARTS = [
  checkItems,
  checkVolume,
  checkFacts,
  checkStates,
  checkImpressions,
  checkTotals,
  checkOrders,
  checkPeople,
  checkSite,
  checkLake,
  checkDeliveries,
  checkTrainings,
  checkWorkflows,
  checkApi,
];

/**
 * @param left what was still moving when the patience ran out (check/quiet.ts)
 * @returns everything that is wrong; the load must be paused
 */
export async function check(stage: FullStage, left: UnfinishedWork | null): Promise<Findings> {
  const findings = new Findings();
  const { pool, temporal, projects, site, trainingProject, openLake, receivers, rushReceiver, load } = stage;
  const context: CheckContext = {
    pool,
    temporal,
    projects,
    site,
    trainingProject,
    openLake,
    findings,
    expected: load.expected,
    sender: load.sender,
    receivers: { main: Object.values(receivers), rush: [rushReceiver] },
  };
  for (const complaint of load.expected.complaints) findings.add('doubled', complaint);
  for (const fault of load.faults) findings.add('lost', `the load: ${fault}`);
  for (const [what, count] of Object.entries(left ?? {}))
    findings.add('unfinished', `${count} ${what} had not come to rest`, count);
  for (const part of PARTS) await part(context);
  return findings;
}
