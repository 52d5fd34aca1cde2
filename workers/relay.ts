/** Process: hands the outbox to Temporal and looks for work that nobody does. */
import { startRelay } from '../relay/relay.ts';
import { runKeylessProcess } from '../process/lifecycle.ts';

await runKeylessProcess('relay', startRelay);
