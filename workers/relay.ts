/** Process: hands the outbox to Temporal and looks for work that is not running. */
import { startRelay } from '../loops/relay/relay.ts';
import { runKeylessProcess } from '../platform/process/lifecycle.ts';

await runKeylessProcess('relay', startRelay);
