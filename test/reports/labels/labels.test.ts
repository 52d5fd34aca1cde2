import { describe, expect, it } from '@jest/globals';
import { labelsOf } from '../../../reports/labels/index.ts';
import { DIMENSIONS } from '../../../reports/registry/index.ts';
import type { Language } from '../../../domain/language.ts';
import type { Label, ReportSite } from '../../../reports/reportRequest.ts';

const SITE: ReportSite = {
  siteId: 'site00000001',
  timezone: 'Europe/Moscow',
  currency: 'RUB',
  rates: {},
  goals: [{ code: 'lead', title: 'Заявка с сайта' }],
};

const label = (dimension: string, code: string | null, language: Language): Label | undefined =>
  labelsOf([dimension], [[code]], SITE, language)[0]?.[0];

describe('names of codes', () => {
  // proves: report-rules/labels
  it.each<[string, string, string, string]>([
    ['continent', 'EU', 'Europe', 'Европа'],
    ['continent', 'AN', 'Antarctica', 'Антарктида'],
    ['continent', 'NA', 'North America', 'Северная Америка'],
    ['country', 'RU', 'Russia', 'Россия'],
    ['country', 'GB', 'United Kingdom', 'Великобритания'],
    ['country', 'AC', 'Ascension Island', 'о-в Вознесения'],
    ['region', 'Bashkortostan', 'Bashkortostan', 'Башкортостан'],
    ['city', 'Moscow', 'Moscow', 'Москва'],
    ['geo_person_country', 'RU', 'Russia', 'Россия'],
    ['geo_person_region', 'RU-BA', 'Bashkortostan', 'Башкортостан'],
    ['geo_person_city', 'ru-saint-petersburg', 'Saint Petersburg', 'Санкт-Петербург'],
    ['company_region', 'RU-BA', 'Bashkortostan', 'Башкортостан'],
    ['company_region', 'DE', 'Germany', 'Германия'],
    ['interest', 'sport-football', 'Football', 'Футбол'],
    ['purchase_category', 'electronics', 'Electronics', 'Электроника'],
    ['goal', 'lead', 'Заявка с сайта', 'Заявка с сайта'],
  ])('are given in English and in Russian: %s %s', (dimension, code, en, ru) => {
    expect(label(dimension, code, 'en')).toEqual({ id: code, name: en });
    expect(label(dimension, code, 'ru')).toEqual({ id: code, name: ru });
  });

  // proves: report-rules/labels
  it('are only those of places, interests, categories and goals', () => {
    expect(DIMENSIONS.filter(({ names }) => names !== null).map(({ id }) => id)).toEqual([
      'continent',
      'country',
      'region',
      'city',
      'goal',
      'interest',
      'company_region',
      'purchase_category',
      'geo_person_country',
      'geo_person_region',
      'geo_person_city',
    ]);
  });

  // proves: report/audience-labels
  it.each(DIMENSIONS.filter(({ names }) => names !== null).map(({ id }) => id))(
    '%s: an unknown code is its own name, and no code is null',
    (dimension) => {
      for (const code of ['нигде такого нет', 'ZZZ', '001', 'constructor', ''])
        expect(label(dimension, code, 'ru')).toEqual({ id: code, name: code });
      expect(label(dimension, null, 'ru')).toBeNull();
    },
  );
});

// proves: report-rules/labels
it('other dimensions are texts, and each row keeps the order of the dimensions', () => {
  expect(
    labelsOf(
      ['utm_source', 'country', 'visitor_param:country'],
      [
        ['RU', 'RU', 'RU'],
        [null, null, 'x'],
      ],
      SITE,
      'en',
    ),
  ).toEqual([
    ['RU', { id: 'RU', name: 'Russia' }, 'RU'],
    [null, null, 'x'],
  ]);
});
