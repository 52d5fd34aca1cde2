/** Process: a report engine (engine.ts starts it). */
import { runJob } from '../run/runJob.ts';
import { warm } from '../run/warmUp.ts';
import { serveReports } from './serve.ts';

serveReports(runJob, warm);
