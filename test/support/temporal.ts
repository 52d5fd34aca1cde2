/** Temporal for tests: a namespace of the run's server, or a time-skipping server of the file's own. */
import { Client, Connection } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { indexedValueTypes } from '../../scripts/temporal/namespace.ts';
import { askBroker } from './brokerClient.ts';

export interface TestTemporal {
  address: string;
  /** Used by nobody else in the run; the search attributes are registered. */
  namespace: string;
  client: Client;
  /** For Worker.create, together with `namespace`. */
  nativeConnection: NativeConnection;
  /** Call in afterAll, after the workers have ended. */
  close(): Promise<void>;
}

/** Leaves out the SDK's own log lines below errors. A file that wants them installs its runtime first. */
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

/** A namespace of the run's shared server. It runs in real time: for hours that must pass see {@link createTimeSkippingEnv}. */
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

/** The SDK gives the server's Java 5 s to start, which a busy machine may not be able to keep. */
const START_ATTEMPTS = 6;

/**
 * A server whose clock skips to the next timer while a workflow's result is awaited (not while an
 * update's is). The search attributes are registered. Call `teardown()` in afterAll.
 */
export async function createTimeSkippingEnv(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const { path } = await askBroker<{ path: string }>('/test-server');
  for (let attempt = 1; ; attempt += 1) {
    try {
      const environment = await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path } },
      });
      // It knows none by itself.
      const searchAttributes = indexedValueTypes();
      await environment.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
      return environment;
    } catch (error) {
      const slow = (error as Error).message.includes('did not start within');
      if (!slow || attempt === START_ATTEMPTS) throw error;
    }
  }
}
