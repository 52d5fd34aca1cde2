/** Temporal for tests: a namespace of the run's server, or a separate time-skipping server. */
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { signalGroup } from '../../tools/scripts/engines/fetch/process.ts';
import { indexedValueTypes } from '../../tools/scripts/temporal/namespace.ts';
import { askBroker } from './servers/brokerClient.ts';

/** A program that runs until it is stopped, whatever its arguments. */
const IDLE_PROGRAM = join(import.meta.dirname, 'idle.sh');
/** Only ends a hang; the SDK's default is 10 s. */
const CONNECT_TIMEOUT_MS = 60_000;

export interface TestTemporal {
  address: string;
  /** The namespace, which nothing else in the run uses; its search attributes are registered. */
  namespace: string;
  client: Client;
  /** For Worker.create, together with `namespace`. */
  nativeConnection: NativeConnection;
  /** Call it in afterAll, after the workers have ended. */
  close(): Promise<void>;
}

/** Hides the SDK's log lines below errors. A file that needs them installs its own runtime first. */
function quietRuntime(): void {
  try {
    Runtime.install({
      shutdownSignals: [],
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
    });
  } catch (error) {
    if ((error as Error).name !== 'IllegalStateError') throw error;
  }
}

/**
 * Takes a namespace of the run's shared server, which runs in real time. For tests in which hours must pass see
 * {@link createTimeSkippingEnv}.
 */
export async function createTestTemporal(): Promise<TestTemporal> {
  quietRuntime();
  const { address, namespace } = await askBroker<{ address: string; namespace: string }>('/temporal');
  const connection = await Connection.connect({ address, connectTimeout: CONNECT_TIMEOUT_MS });
  const nativeConnection = await NativeConnection.connect({ address });
  return {
    address,
    namespace,
    client: new Client({ connection, namespace }),
    nativeConnection,
    async close() {
      await connection.close();
      await nativeConnection.close();
    },
  };
}

/**
 * Starts a server whose clock skips to the next timer while a workflow's result is awaited (but not while an
 * update's result is). The search attributes are registered. Call `teardown()` in afterAll.
 */
export async function createTimeSkippingEnv(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const { port, pid } = await askBroker<{ port: number; pid: number }>('/time-skipping');
  // The SDK starts its server itself and gives it 5 s, too short for Java on a busy machine. So the broker starts the
  // real one, and the SDK starts a program that does nothing and then finds that its port answers.
  const server = { executable: { type: 'existing-path', path: IDLE_PROGRAM }, port } as const;
  const environment = await TestWorkflowEnvironment.createTimeSkipping({ server });
  const teardown = environment.teardown.bind(environment);
  environment.teardown = async () => {
    await teardown();
    signalGroup(pid, 'SIGKILL');
  };
  // A new server has no search attributes.
  const searchAttributes = indexedValueTypes();
  await environment.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
  return environment;
}
