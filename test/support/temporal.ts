/** Temporal for tests: a namespace of the run's server, or a separate time-skipping server. */
import { Client, Connection } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { indexedValueTypes } from '../../tools/scripts/temporal/namespace.ts';
import { askBroker } from './brokerClient.ts';

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
  const connection = await Connection.connect({ address });
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

/** The SDK allows the server's Java 5 s to start, which is too short on a busy machine. */
const START_ATTEMPTS = 6;

/**
 * Starts a server whose clock skips to the next timer while a workflow's result is awaited (but not while an
 * update's result is). The search attributes are registered. Call `teardown()` in afterAll.
 */
export async function createTimeSkippingEnv(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const { path } = await askBroker<{ path: string }>('/test-server');
  for (let attempt = 1; ; attempt += 1) {
    try {
      const environment = await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path } },
      });
      // A new server has no search attributes.
      const searchAttributes = indexedValueTypes();
      await environment.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
      return environment;
    } catch (error) {
      const slow = (error as Error).message.includes('did not start within');
      if (!slow || attempt === START_ATTEMPTS) throw error;
    }
  }
}
