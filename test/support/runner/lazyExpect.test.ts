/** The `expect` of test files (jest/lazyExpect.ts) behaves like Jest's own, but costs less. */
import { expect, it } from '@jest/globals';

const THIS_FILE = import.meta.url;

async function failureOf(check: () => unknown): Promise<Error> {
  try {
    await check();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it passed');
}

const firstPlace = ({ stack = '' }: Error): string | undefined =>
  stack.split('\n').find((line) => /^\s+at /.test(line) && !line.includes('/node_modules/'));

it('the lazy expect fails a value at the line of the test, with the message of Jest', async () => {
  const failure = await failureOf(() => expect(1).toBe(2));
  expect(failure.name).toBe('Error');
  expect(failure).toMatchObject({ matcherResult: { pass: false, expected: 2, actual: 1 } });
  expect(failure.message).toContain('Object.is equality');
  expect(firstPlace(failure)).toContain(THIS_FILE);
});

it('the lazy expect fails a negation', async () => {
  const failure = await failureOf(() => expect({ a: [1] }).not.toEqual({ a: [expect.any(Number)] }));
  expect(failure.message).toContain('not');
  expect(firstPlace(failure)).toContain(THIS_FILE);
});

it('the lazy expect fails promises that settle in the other way, or with another value', async () => {
  const stops = () => Promise.reject(new Error('stopped'));
  await expect(stops()).rejects.toThrow('stopped');
  await expect(Promise.resolve(3)).resolves.not.toBe(4);
  const failures = [
    await failureOf(() => expect(stops()).resolves.toBe(3)),
    await failureOf(() => expect(Promise.resolve(3)).rejects.toThrow('stopped')),
    await failureOf(() => expect(stops()).rejects.toThrow('started')),
    await failureOf(() => expect(Promise.resolve(3)).resolves.not.toBe(3)),
  ];
  expect(failures.map(({ message }) => message.split('\n')[2])).toEqual([
    'Received promise rejected instead of resolved',
    'Received promise resolved instead of rejected',
    expect.stringContaining('started'),
    expect.stringContaining('not'),
  ]);
});

it('the lazy expect counts what it has checked', () => {
  expect.assertions(4);
  expect(() => {
    throw new Error('stopped');
  }).toThrow('stopped');
  expect([1, 2]).toHaveLength(2);
  expect('text').not.toMatch(/\d/);
  expect(new Map([[1, 2]])).toStrictEqual(new Map([[1, 2]]));
});

it('the lazy expect leaves the limit of error stacks as it is', () => {
  const { stackTraceLimit } = Error;
  expect(1).toBe(1);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
