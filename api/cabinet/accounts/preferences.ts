/** Preferences of a user for the cabinet: PATCH /me/preferences. */
import Type from 'typebox';
import { writePreferences } from '../../../db/accounts/preferences.ts';
import { notFound } from '../../http/errors.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { define } from '../cabinetOperation.ts';
import { LANGUAGE, Me, meExample, meOf, THEME } from './me.ts';

const PreferencesPatch = strictObject(
  { language: Type.Optional(LANGUAGE), theme: Type.Optional(THEME) },
  { title: 'PreferencesPatch' },
);

export const patchPreferences = define({
  method: 'patch',
  path: '/me/preferences',
  operationId: 'patchPreferences',
  tag: 'session',
  summary: 'Выбрать язык и тему кабинета',
  description:
    'Хранится у пользователя, поэтому действует в любом браузере; null возвращает выбор браузеру. Токену установки отвечает 404: он ничей.',
  access: 'viewer',
  body: { schema: PreferencesPatch, example: { language: 'ru', theme: 'dark' } },
  replies: { 200: { description: 'Выбрано', schema: Me, example: { ...meExample, theme: 'dark' } } },
  errors: [404, 413, 422],
  async handle({ caller, body }, { pool }) {
    const stored = caller.user && (await writePreferences(pool, caller.user.id, body));
    if (!stored) throw notFound();
    return { status: 200, body: meOf(caller, stored) };
  },
});
