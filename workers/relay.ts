/** Process: hands the outbox to Temporal and looks for work that is not running. */
import { startRelay } from '../relay/relay.ts';
import { runKeylessProcess } from '../process/lifecycle.ts';

await runKeylessProcess('relay', startRelay);
