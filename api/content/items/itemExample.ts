/** The example item in the description of the API. */
import { mapSteps } from '../../../domain/analysis/steps.ts';

export const itemExample = {
  id: 'lesson-42',
  type: 'video',
  title: 'Урок 42',
  description: null,
  author: 'teacher-7',
  url: 'https://example.com/lessons/42',
  published_at: '2026-11-20T09:00:00.000Z',
  properties: { level: 'B1' },
  origin: 'api',
  available: true,
  deleted: false,
  status: 'ready',
  processing: mapSteps(() => 'done'),
  updated_at: '2026-11-20T09:04:11.275Z',
  media: [
    {
      position: 0,
      kind: 'video',
      url: 'https://cdn.example.com/lesson-42.mp4',
      duration_sec: 612.4,
      width: 1920,
      height: 1080,
      status: 'ready',
    },
  ],
  summary: {
    summary: 'Разбор глаголов движения с примерами и упражнениями.',
    description: null,
    topics: ['грамматика'],
    tags: ['глаголы движения', 'русский язык'],
    entities: [],
    language: 'ru',
    age_rating: '0+',
    moderation: { level: 'none', categories: null, evidence: null },
    chapters: [
      { media_position: 0, start: 0, end: 214.5, title: 'Глаголы движения: идти и ходить' },
      { media_position: 0, start: 214.5, end: 612.4, title: 'Приставки и направления' },
    ],
  },
  moderation: { level: 'none', categories: null, evidence: null },
  transcript: [
    {
      media_position: 0,
      language: 'ru',
      timestamps: 'model',
      text: 'Сегодня мы разберём глаголы движения.',
      segments: [{ start: 0, end: 3.2, text: 'Сегодня мы разберём глаголы движения.', speaker: null }],
    },
  ],
};
