/** Runs the Python package's tests; SNIPPETS_PYTHON names another interpreter, with frameworks installed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it as run } from '@jest/globals';
import {
  requestBody,
  SUBSCRIBABLE_EVENTS,
  TEST_EVENT,
  type WebhookItem,
} from '../../../domain/webhooks/webhookRequest.ts';
import { TEST_ITEM } from '../../../domain/webhooks/testItem.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PYTHON = process.env['SNIPPETS_PYTHON'] ?? 'python3';

function python(args: string[]): { status: number | null; told: string } {
  const env = {
    ...process.env,
    PYTHONPATH: join(ROOT, 'clients/webhooks-python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUTF8: '1',
  };
  const { status, stdout, stderr } = spawnSync(PYTHON, args, {
    cwd: join(import.meta.dirname, 'python'),
    env,
    encoding: 'utf8',
  });
  return { status, told: `${stdout}${stderr}` };
}

const has = (code: string): boolean => python(['-c', code]).status === 0;
const hasPython = has('import sys; sys.exit(sys.version_info < (3, 9))');
const it = hasPython ? run : run.skip;

/** Runs the tests of one name, none of which may be skipped. */
function expectToPass(name: string): void {
  const { status, told } = python(['-m', 'unittest', '-v', name]);
  expect({ status, told }).toMatchObject({
    status: 0,
    told: expect.stringMatching(/\nRan [1-9]\d* tests? in [^\n]*\n\nOK\n$/),
  });
}

describe('the Python package', () => {
  // proves: webhook-signature/1, webhook-signature/2, webhook-signature/3, webhook-signature/4, webhook-signature/5
  it('accepts and refuses the recorded requests', () => expectToPass('test_verify'));

  it.each(['Servers.test_wsgi', 'Servers.test_http_server', 'Repeats'])("runs the README's %s", (name) =>
    expectToPass(`test_readme.${name}`),
  );

  it('is written for Python 3.9', () => {
    const parse =
      'import ast, pathlib, sys; [ast.parse(p.read_text("utf-8"), feature_version=(3, 9)) for p in pathlib.Path(sys.argv[1]).glob("*.py")]';
    expect(python(['-c', parse, join(ROOT, 'clients/webhooks-python/src/attune_webhooks')])).toEqual({
      status: 0,
      told: '',
    });
  });

  it('has a type for every event (_events.py, and __all__ of __init__.py)', () => {
    const ask =
      'import json, typing, attune_webhooks as a; print(json.dumps(sorted(typing.get_args(typing.get_type_hints(t)["event"])[0] for t in typing.get_args(a.WebhookEvent) if t.__name__ in a.__all__)))';
    expect(JSON.parse(python(['-c', ask]).told)).toEqual([...SUBSCRIBABLE_EVENTS, TEST_EVENT].sort());
  });

  it('has a type for every field of a body', () => {
    const moderation = { level: 'none', categories: null, evidence: null };
    const summary = { summary: 'Text', topics: [], tags: [], age_rating: null, moderation };
    const item: Required<WebhookItem> = { ...TEST_ITEM, summary, moderation };
    const delivery = { projectId: 'abc123def456', deliveryId: '01a1fdb9-b6d9-7566-a1b3-c800da5e4f5c' };
    const body = JSON.parse(requestBody({ ...delivery, event: 'item.processed', item }, new Date(0))) as {
      item: { summary: object; processing: object };
    };
    // requestBody lists the fields, for their order, and ignores one that it does not know.
    expect(body.item).toEqual(item);
    const ask =
      'import json, attune_webhooks as a; print(json.dumps([sorted(t.__annotations__) for t in (a.ItemProcessed, a.WebhookItem, a.WebhookSummary, a.StepStates)]))';
    const { told } = python(['-c', ask]);
    expect(JSON.parse(told)).toEqual(
      [body, body.item, body.item.summary, body.item.processing].map((part) => Object.keys(part).sort()),
    );
  });
});

describe.each(['flask', 'fastapi', 'django'])('with %s', (framework) => {
  (hasPython && has(`import ${framework}`) ? run : run.skip)(
    "the README's server accepts a genuine request and refuses another",
    () => expectToPass(`test_readme.Servers.test_${framework}`),
  );
});
