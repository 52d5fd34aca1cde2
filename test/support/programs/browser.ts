/** A real Chromium for tests. The broker starts one for the whole run; chromium.ts says which. */
import { chromium, type Browser } from 'playwright-core';
import { askBroker } from '../servers/brokerClient.ts';
import { HANG_MS } from '../eventually.ts';

/** Opens a connection for this test file. Closing it in afterAll closes the contexts opened through it. */
export async function startBrowser(): Promise<Browser> {
  const { endpoint } = await askBroker<{ endpoint: string }>('/browser');
  const browser = await chromium.connect(endpoint, { timeout: HANG_MS });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(HANG_MS); // for navigations too; Playwright's own limit is 30 s
    return context;
  };
  return browser;
}
