/** Process: hands the outbox to Temporal and looks for work that is not running. */
import { startRelay } from '../loops/relay/relay.ts';
import { loadKeylessConfig } from '../config.ts';
import { runProcess } from '../platform/process/lifecycle.ts';

await runProcess('relay', loadKeylessConfig, startRelay);
