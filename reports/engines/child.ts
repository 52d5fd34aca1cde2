/** Process: an engine of reports (engine.ts starts it). */
import { runReport } from '../run/runReport.ts';
import { warm } from '../run/warm.ts';
import { serveReports } from './serve.ts';

serveReports(
  (lake, { request, site, options }, signal) => runReport(lake, request, site, { ...options, signal }),
  warm,
);
