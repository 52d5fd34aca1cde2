/** A real Chromium for tests. The broker starts one for the whole run; chromium.ts says which. */
import { chromium, type Browser } from 'playwright-core';
import { askBroker } from './brokerClient.ts';
import { HANG_MS } from './eventually.ts';

/** Opens a connection for this test file. Closing it in afterAll closes the contexts opened through it. */
export async function startBrowser(): Promise<Browser> {
  const { endpoint } = await askBroker<{ endpoint: string }>('/browser');
  return await chromium.connect(endpoint, { timeout: HANG_MS });
}
