/**
 * 55 hostile inputs, through the real API, decoders and OCR, and a model that obeys commands: each ends as
 * docs/hostile-inputs.md says, and changes nothing but its own item.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { Answer } from '../api/support/testApi.ts';
import { completion, answerChat, moderationResult } from '../support/openai/openaiAnswers.ts';
import type { Received } from '../support/openai/openaiServer.ts';
import { COMMAND, PLANTED_SECRET, type HostileInput } from './hostile/hostileInput.ts';
import { HostileStage } from './hostile/hostileStage.ts';
import { HOSTILE_HOSTS } from './hostile/hosts.ts';
import { HOSTILE_PICTURES } from './hostile/pictures.ts';
import { HOSTILE_RECORDINGS } from './hostile/recordings.ts';
import { rowsOfOthers } from './hostile/rowsOfOthers.ts';
import { HOSTILE_TEXTS } from './hostile/texts.ts';
import { watchMemory } from './hostile/watchMemory.ts';

const INPUTS: readonly HostileInput[] = [
  ...HOSTILE_PICTURES,
  ...HOSTILE_RECORDINGS,
  ...HOSTILE_HOSTS,
  ...HOSTILE_TEXTS,
];
const MIB = 1024 * 1024;
/** Limit for a decoder with its child: 512 MB of script, and the largest accepted picture. */
const MAX_MIB = 900;
/** Several times as long as they take while other work runs. */
const MAX_SECONDS = 900;
const NEIGHBOUR = 'sosed-71';

let stage: HostileStage;
const answers = new Map<number, Answer>();
let before: string[];
let after: string[];
let twins: string[][];
let asked: Received[] = [];
let peakMib = 0;
let seconds = 0;

const idOf = (at: number): string => `case-${at}`;
const titleOf = (at: number): string => `Запись case-${at};`;
const numberIn = (text: string): number => Number(/case-(\d+);/.exec(text)?.[1] ?? -1);
const textOf = ({ body }: Received): string => JSON.stringify(body);

/** The delimiters around material are random. */
const asSent = (requests: readonly Received[]): string[] =>
  requests
    .map((request) => `${request.endpoint} ${textOf(request).replaceAll(/material-[0-9a-f-]+/g, 'material')}`)
    .toSorted();

function obey(): void {
  stage.model.script('/chat/completions', (request) => {
    const text = textOf(request);
    const input = INPUTS[numberIn(text)] ?? INPUTS.find(({ obeys }) => text.includes('recording_chapters') && obeys);
    const [, answer] = Object.entries(input?.obeys ?? {}).find(([name]) => text.includes(`"name":"${name}"`)) ?? [];
    const isSeen = text.includes('"name":"frame_descriptions"');
    if (isSeen) return { json: completion(JSON.stringify(OBEDIENT_SIGHT)) };
    return { json: answer === undefined ? answerChat(request.body) : completion(JSON.stringify(answer)) };
  });
  stage.model.script('/moderations', ({ body }) => {
    const { input } = body as { input: unknown[] };
    const scores = INPUTS.find((one) => one.scores)?.scores ?? {};
    const results = input.map((part) =>
      String(part).includes('MODERATED-WITHOUT-END')
        ? { categories: {}, category_scores: ENDLESS_SCORES }
        : moderationResult(String(part).includes('MODERATED-AS-VIOLENT') ? scores : {}, typeof part !== 'string'),
    );
    return { json: { id: 'modr-test', model: 'test-model', results } };
  });
  stage.model.script('/audio/transcriptions', () => ({ json: ENDLESS_SPEECH }));
}

const ENDLESS_SCORES = Object.fromEntries(
  Array.from({ length: 5_000 }, (_, at) => [`${at} ${'category '.repeat(50)}`, at / 100_000]),
);
const ENDLESS_SPEECH = {
  text: '',
  language: 'russian',
  segments: Array.from({ length: 20_000 }, (_, at) => ({ start: at / 10_000, end: 3, text: `слово ${at} за словом` })),
};
const SHAPES =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="20" fill="#cc2200"/></svg>';
const SAFE = { sexual: 'none', violence: 'none', self_harm: 'none', hate: 'none', drugs: 'none', weapons: 'none' };
const described = (id: string) => ({
  id,
  description: 'HACKED',
  ocr_text: 'x'.repeat(200_000),
  tags: ['HACKED'],
  safety: SAFE,
});
const OBEDIENT_SIGHT = { frames: [described('0'), described('0'), described('7'), described(NEIGHBOUR)] };

const isPut = (at: number): boolean => answers.get(at)?.status === 201;

async function putAll(): Promise<void> {
  for (const [at, { medium, fields }] of INPUTS.entries()) {
    const url = medium?.url ?? `${stage.host.url}/${idOf(at)}`;
    const media = medium && [{ kind: medium.kind, url }];
    const body = { type: medium?.kind ?? 'text', title: titleOf(at), ...fields, ...(media && { media }) };
    answers.set(at, await stage.put(idOf(at), body));
  }
}

async function serveAll(): Promise<void> {
  for (const [at, { medium }] of INPUTS.entries()) {
    if (!medium) continue;
    if (medium.serve) stage.serve(`/${idOf(at)}`, medium.serve(stage.host));
    if (!medium.build) continue;
    const bytes = await medium.build(stage.workshop);
    stage.serve(
      `/${idOf(at)}`,
      (_request, response) => void response.writeHead(200, { 'content-length': bytes.length }).end(bytes),
    );
  }
}

const card = async (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: '#aa7711' } })
    .png()
    .toBuffer();

/** Puts a harmless item, in this project or another. */
async function putQuiet(id: string, project = stage.project): Promise<void> {
  const media = [{ kind: 'image', url: `${stage.host.url}/quiet` }];
  const body = 'Трамвай вернулся в депо после ремонта. Его ждали неделю.';
  expect((await stage.put(id, { type: 'image', title: 'Трамвай', body, media }, project)).status).toBe(201);
  await stage.analysed([id], project);
}

beforeAll(async () => {
  stage = await HostileStage.open();
  obey();
  await serveAll();
  const quiet = await card();
  stage.serve('/quiet', (_request, response) => void response.end(quiet));
  const first = await stage.askedBy(() => putQuiet(NEIGHBOUR));
  await putQuiet('elsewhere', stage.elsewhere);
  before = await rowsOfOthers(stage, NEIGHBOUR);
  const memory = watchMemory();
  const started = performance.now();
  asked = await stage.askedBy(async () => {
    await putAll();
    await stage.analysed([...INPUTS.keys()].filter(isPut).map(idOf));
  });
  seconds = (performance.now() - started) / 1000;
  peakMib = memory.stop() / MIB;
  after = await rowsOfOthers(stage, NEIGHBOUR);
  twins = [first, await stage.askedBy(() => putQuiet('twin'))].map(asSent);
  for (const at of INPUTS.keys()) if (isPut(at)) answers.set(at, await stage.read(idOf(at)));
});
afterAll(() => stage?.close());

/** Describes the outcome in the words of the table. */
function endOf({ status, body }: Answer): string {
  if (status !== 200) return `${status} ${body.error.code}`;
  const { code } = body.processing_errors?.prepare ?? {};
  if (code !== undefined) return body.status === 'partial' ? code : `${body.status} after ${code}`;
  return body.status;
}

describe('a hostile input', () => {
  it.each(INPUTS.map((input, at) => [input.name, at, input] as const))('ends as documented: %s', (_, at, input) => {
    const answer = answers.get(at);
    expect(answer && endOf(answer)).toBe(input.becomes);
    input.holds?.(answer?.body);
  });
});

describe('all hostile inputs together', () => {
  it('match the documented table', async () => {
    const document = await readFile(new URL('../../docs/hostile-inputs.md', import.meta.url), 'utf8');
    const rows = INPUTS.map(({ name, becomes }, at) => `| ${at + 1} | ${name} | \`${becomes}\` |`);
    expect(rows).toHaveLength(55);
    expect(document.split('\n').filter((line) => /^\| \d/.test(line))).toEqual(rows);
  });

  it('change no row of another item or project, and no other table', () => {
    expect(before.length).toBeGreaterThan(10);
    expect(after).toEqual(before);
  });

  it('use up no more of the project’s volume than they contain', async () => {
    const { rows } = await stage.database.pool.query<{ units: number }>(
      'select sum(used + reserved)::float8 as units from analysis_volume where project_id = $1',
      [stage.project.id],
    );
    // A million letters are a thousand units.
    expect(rows[0]?.units).toBeGreaterThan(1_000);
    expect(rows[0]?.units).toBeLessThan(4_000);
  });

  it('do not change what the model is asked about another item', () => {
    const [first, again] = twins;
    expect(first?.length).toBeGreaterThan(2);
    expect(again).toEqual(first);
    const commanded = asked.filter(
      (request) => textOf(request).includes(COMMAND) && request.endpoint === '/chat/completions',
    );
    expect(commanded.length).toBeGreaterThan(3);
    for (const request of commanded) expect(textOf(request)).toMatch(/recording_chapters|case-\d+;/);
    expect(stage.model.violations).toEqual([]);
  });

  it('reach no file and no server of the machine', async () => {
    expect(stage.wentInside).toBe(0);
    const kept = [...(await stage.blobs()).map((blob) => blob.toString('latin1')), ...asked.map(textOf)];
    const { rows } = await stage.database.pool.query<{ text: string }>(
      `select concat_ws(' ', t::text, i::text) as text from items i left join item_transcripts t on t.item_id = i.id`,
    );
    for (const text of [...kept, ...rows.map((row) => row.text)]) {
      expect(text.includes(PLANTED_SECRET)).toBe(false);
      expect(text.includes('root:x:0')).toBe(false);
    }
  });

  it('take bounded time and memory', () => {
    expect(seconds).toBeLessThan(MAX_SECONDS);
    expect(peakMib).toBeLessThan(MAX_MIB);
  });
});

describe('a picture for which the model also answers for others', () => {
  it('gets only the description of its own frame, no longer than one may be', async () => {
    await stage.seeBy('openai');
    const picture = await sharp(Buffer.from(SHAPES)).png().toBuffer();
    stage.serve('/seen', (_request, response) => void response.end(picture));
    await stage.put('seen', { type: 'image', media: [{ kind: 'image', url: `${stage.host.url}/seen` }] });
    await stage.analysed(['seen']);
    const { body } = await stage.read('seen');
    expect(body.frames).toMatchObject([{ ts: 0, description: 'HACKED', tags: ['hacked'] }]);
    expect(body.frames[0].ocr_text.length).toBeLessThan(20_000);
    expect(await rowsOfOthers(stage, NEIGHBOUR)).toEqual(before);
  });
});
