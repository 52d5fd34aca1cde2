import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import excel from 'exceljs';
import type { ExportFormat } from '../../../domain/reports/exports.ts';
import { writeTable, type Cell, type Table } from '../../../reports/exports/index.ts';
import { eventually } from '../../support/eventually.ts';

let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-exports-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tableOf = (rows: Cell[][], rest: Partial<Table> = {}): Table => ({
  header: ['Источник', 'Визиты'],
  rows,
  totals: ['Итого', 3.5],
  about: [['Сайт', 'Магазин']],
  remarks: [],
  sheets: { table: 'Отчёт', about: 'О выгрузке' },
  ...rest,
});

async function write(format: ExportFormat, table: Table): Promise<string> {
  const path = join(folder, `${(files += 1)}.${format}`);
  await writeTable(format, table, path);
  return path;
}

/** Returns the paths that this process has open. */
async function openFiles(): Promise<(string | null)[]> {
  const handles = await readdir('/proc/self/fd');
  return Promise.all(handles.map((handle) => readlink(join('/proc/self/fd', handle)).catch(() => null)));
}

async function readSheet(path: string, name: string): Promise<unknown[][]> {
  const workbook = new excel.Workbook();
  await workbook.xlsx.readFile(path);
  const sheet = workbook.getWorksheet(name);
  if (!sheet) throw new Error(`there is no sheet ${name}`);
  const rows: unknown[][] = [];
  // Row values start at index 1.
  sheet.eachRow((row) => rows.push(Array.from((row.values as unknown[]).slice(1), (value) => value ?? null)));
  return rows;
}

/** Texts that a spreadsheet must not compute as formulas. */
const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '=HYPERLINK("http://x","y")'];

describe('csv', () => {
  it('is UTF-8 with a byte order mark, in RFC 4180: commas, quotes and line breaks are preserved', async () => {
    const rows = [
      ['a,"b"\r\nc', 1.5],
      [null, -2],
      ['ёж 🦔', 0],
    ] satisfies Cell[][];
    const bytes = await readFile(await write('csv', tableOf(rows)));
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.toString()).toContain('"a,""b""\r\nc",1.5\r\n,-2\r\n');
    expect(parse(bytes, { bom: true, relax_column_count: false })).toEqual([
      ['Источник', 'Визиты'],
      ['a,"b"\r\nc', '1.5'],
      ['', '-2'],
      ['ёж 🦔', '0'],
      ['Итого', '3.5'],
    ]);
  });

  it.each(['\n', '\r'])('quotes a text with a lone %j in it, after which no new record begins', async (end) => {
    const text = `Sale${end}1+1`;
    const bytes = await readFile(await write('csv', tableOf([[text, 7]])));
    expect(bytes.toString()).toContain(`\r\n"${text}",7\r\n`);
  });

  it('has no cell that a spreadsheet computes, including titles of goals and notes; a negative number stays one', async () => {
    const bytes = await readFile(
      await write(
        'csv',
        tableOf(
          FORMULAS.map((text) => [text, -1]),
          { header: ['=x', 'y'], remarks: ['=remark'] },
        ),
      ),
    );
    const records: string[][] = parse(bytes, { bom: true });
    expect(records.map(([first]) => first)).toEqual([
      "'=x",
      ...FORMULAS.map((text) => `'${text}`),
      'Итого',
      "'=remark",
    ]);
    expect(records.slice(1, -2).every(([, second]) => second === '-1')).toBe(true);
    expect(records.at(-1)).toEqual(["'=remark", '']);
  });

  it.each([';', '\t'])(
    'has no cell that a spreadsheet computes, even if it separates cells by %j',
    async (delimiter) => {
      const texts = [
        'sale',
        'x;=1+1;y',
        'a,b;=1+1',
        'x;"=1+1";y',
        'x;""@SUM(A1)',
        'x\t=1+1',
        '\t=1',
        'x\t"＝1',
        ';=1',
        '"";=1',
        'x\n=1+1;y',
      ];
      const bytes = await readFile(
        await write(
          'csv',
          tableOf(
            texts.map((text) => ['first', text, 1]),
            { header: ['a', 'b', 'c'], totals: ['Итого', null, 9] },
          ),
        ),
      );
      const cells: string[][] = parse(bytes, { bom: true, delimiter, relax_quotes: true, relax_column_count: true });
      expect(cells.flat().filter((cell) => /^"*[=+@＝]/.test(cell))).toEqual([]);
      expect(bytes.toString()).toContain("first,x;'=1+1;y,1");
    },
  );
});

describe('xlsx', () => {
  it('has numbers as numbers, texts as texts, totals at the end and a sheet about the file', async () => {
    const path = await write(
      'xlsx',
      tableOf(
        [
          ['a', 1.5],
          [null, -2],
          ['2026-11-01', 0],
        ],
        {
          about: [
            ['Сайт', 'Магазин'],
            ['Примечание', 'по выборке'],
          ],
        },
      ),
    );
    expect(await readSheet(path, 'Отчёт')).toEqual([
      ['Источник', 'Визиты'],
      ['a', 1.5],
      [null, -2],
      ['2026-11-01', 0],
      ['Итого', 3.5],
    ]);
    expect(await readSheet(path, 'О выгрузке')).toEqual([
      ['Сайт', 'Магазин'],
      ['Примечание', 'по выборке'],
    ]);
  });

  it('keeps formulas as texts', async () => {
    const rows = await readSheet(await write('xlsx', tableOf(FORMULAS.map((text) => [text, 1]))), 'Отчёт');
    // XML readers normalize every line end to \n.
    expect(rows.slice(1, -1).map(([first]) => first)).toEqual(FORMULAS.map((text) => text.replace('\r', '\n')));
  });

  it('handles what no workbook can hold: characters outside XML, half pairs, text that looks like an escape, cells over the limit', async () => {
    const long = `${'🦔'.repeat(16_383)}xyz`;
    const rows = await readSheet(
      await write(
        'xlsx',
        tableOf([
          ['a\u0000\u0007\uFFFFb', 1],
          ['\uD83E', 1],
          ['_x0041_', 1],
          [long, 1],
          ['y'.repeat(32_767), 1],
        ]),
      ),
      'Отчёт',
    );
    const texts = rows.slice(1, -1).map(([first]) => String(first));
    expect(texts[0]).toBe('ab');
    expect(texts[1]).toBe('\uFFFD');
    // The library does not decode it, but Excel does.
    expect(texts[2]).toBe('_x005F_x0041_');
    expect(texts[3]).toBe(`${'🦔'.repeat(16_383)}…`);
    expect(texts[4]).toHaveLength(32_767);
  });
});

describe.each(['csv', 'xlsx'] as const)('%s', (format) => {
  const rows = 5_000;
  function* manyRows(): Generator<Cell[]> {
    for (let n = 0; n < rows; n += 1) yield [`источник ${n % 100}`, '/catalog/', null, n, n / 7];
  }

  it('does not block other work while 5,000 rows are written', async () => {
    const path = join(folder, `many.${format}`);
    let [isWritten, turns, last] = [false, 0, 0];
    const writing = writeTable(
      format,
      tableOf([], { header: ['a', 'b', 'c', 'd', 'e'], rows: manyRows(), totals: null }),
      path,
      (row) => (last = row),
    ).finally(() => (isWritten = true));
    for (; !isWritten; turns += 1) await setImmediate();
    await writing;
    expect(last).toBe(rows);
    // At least one turn of the event loop for every thousand rows.
    expect(turns).toBeGreaterThan(rows / 1_000);
    if (format === 'csv') expect((await readFile(path, 'utf8')).split('\r\n')).toHaveLength(rows + 2);
    else expect((await stat(path)).size).toBeGreaterThan(50_000);
  });

  it('closes the file of an export that is cancelled', async () => {
    const path = join(folder, `cancelled.${format}`);
    const table = tableOf([], { header: ['a', 'b', 'c', 'd', 'e'], rows: manyRows(), totals: null });
    const cancelled = writeTable(format, table, path, (row) => {
      if (row === 1_000) throw new Error('cancelled');
    });
    await expect(cancelled).rejects.toThrow('cancelled');
    expect((await stat(path)).isFile()).toBe(true);
    await eventually(async () => !(await openFiles()).includes(path), 'the file is closed');
  });

  it('reports a file that it cannot write, and does not wait forever', async () => {
    await expect(writeTable(format, tableOf([['a', 1]]), folder)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(writeTable(format, tableOf([['a', 1]]), join(folder, 'no', 'such'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
