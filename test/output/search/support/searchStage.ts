/** Searches over a real database, a selection process and an API. */
import { eventually } from '../../../support/eventually.ts';
import { stageOutput, type OutputStage, type StageItem } from '../../support/outputStage.ts';

export interface SearchStage extends OutputStage {
  /** Returns the answer's body; any status but 200 is a fault of the test. */
  find(query: string, body?: object): Promise<SearchResponse>;
  /** Waits until the project's words are in memory. */
  indexed(): Promise<void>;
}

export interface SearchResponse {
  recommendation_id: string;
  mode: string;
  model: string | null;
  items: {
    id: string;
    position: number;
    score: number;
    explain?: Record<string, unknown>;
    fields?: Record<string, unknown>;
    highlights: { field: string; text: string; ranges: [number, number][] }[];
    chunks: { media_position: number; start_sec: number; end_sec: number; text: string }[];
  }[];
  next_cursor: string | null;
  total: { value: number; relation: string };
  facets: Record<string, { value: unknown; count: number }[]>;
  corrected_query: string | null;
}

export const idsOf = ({ items }: Pick<SearchResponse, 'items'>): string[] => items.map(({ id }) => id);

export function stageSearch(options: Parameters<typeof stageOutput>[0] = {}): SearchStage {
  const stage = stageOutput(options) as SearchStage;
  stage.find = async (query, body = {}) => {
    const answer = await stage.call('POST', '/search', { query, semantic: 0, ...body });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as SearchResponse;
  };
  stage.indexed = async () => {
    await eventually(async () => (await stage.find('', { limit: 1 })).mode !== 'fallback', 'the words in memory');
  };
  return stage;
}

/** Reads all pages of a search. */
export async function walk(stage: SearchStage, query: string, body: object): Promise<SearchResponse[]> {
  const pages = [await stage.find(query, body)];
  for (let cursor = pages[0]?.next_cursor; cursor;) {
    const page = await stage.find(query, { ...body, cursor });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

/** Three items with the word трамвай, and one without. */
export const TRAMS: StageItem[] = [
  { id: 'tram-1', title: 'История трамваев Петербурга', author: 'a-1', tags: ['транспорт'] },
  { id: 'tram-2', title: 'Трамваи Петербурга сегодня', author: 'a-2', tags: ['транспорт', 'город'] },
  { id: 'tram-3', title: 'Трамваи Москвы', author: 'a-1' },
  { id: 'soup-1', title: 'Рецепт борща со свёклой' },
];

/** Declares a property of the stage's project. */
export async function declare(stage: OutputStage, name: string, type: string, filterable = true): Promise<void> {
  await stage.api.pool.query(
    'insert into item_properties (project_id, name, type, filterable) values ($1, $2, $3, $4)',
    [stage.project.id, name, type, filterable],
  );
}
