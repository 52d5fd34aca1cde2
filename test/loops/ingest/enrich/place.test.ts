import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { continentOf } from '../../../../loops/ingest/enrich/continents.ts';
import { NOWHERE, openPlaces } from '../../../../loops/ingest/enrich/place.ts';

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const countryOnly = { region: null, city: null };

describe('openPlaces', () => {
  // Networks that have been in one country for decades: Yandex, Google's DNS, Telkom, registro.br, WIDE, Telstra.
  it.each([
    ['77.88.55.242', 'EU', 'RU'],
    ['8.8.8.8', 'NA', 'US'],
    ['2a02:6b8::2:242', 'EU', 'RU'],
    ['2001:4860:4860::8888', 'NA', 'US'],
    ['196.25.1.1', 'AF', 'ZA'],
    ['200.160.2.3', 'SA', 'BR'],
    ['192.41.192.1', 'AS', 'JP'],
    ['1.128.0.1', 'OC', 'AU'],
    ['::ffff:77.88.55.242', 'EU', 'RU'],
  ])('finds the country of %s without a city database', async (ip, continent, country) => {
    const places = await openPlaces(null);
    expect(places.place(ip)).toEqual({ continent, country, ...countryOnly });
  });

  it.each([
    '10.1.2.3',
    '192.168.0.1',
    '172.16.5.5',
    '127.0.0.1',
    '169.254.1.1',
    '100.64.0.1',
    '203.0.113.5',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '::1',
    'fe80::1',
    'fd00::1',
    '2001:db8::1',
    '::ffff:10.0.0.1',
    '',
    'unknown',
    '77.88.55',
    '77.88.55.242:443',
    '1'.repeat(10_000),
  ])('finds no place for %.40p', async (ip) => {
    expect((await openPlaces(null)).place(ip)).toEqual(NOWHERE);
  });

  it('reads region and city from a database of the nested form, in English', async () => {
    const places = await openPlaces(fixture('nested.mmdb'));
    expect(places.place('77.88.8.8')).toEqual({ continent: 'EU', country: 'RU', region: 'Moscow', city: 'Moscow' });
    expect(places.place('2a02:6b8::1')).toEqual({
      continent: 'EU',
      country: 'RU',
      region: 'Saint Petersburg',
      city: 'St Petersburg',
    });
    expect(places.place('8.8.4.4')).toEqual({ continent: 'NA', country: 'US', ...countryOnly });
  });

  it('reads them from a database of the flat form', async () => {
    const places = await openPlaces(fixture('flat.mmdb'));
    expect(places.place('5.255.255.70')).toEqual({
      continent: 'EU',
      country: 'RU',
      region: 'Moscow Oblast',
      city: 'Khimki',
    });
    expect(places.place('81.2.69.142')).toEqual({ continent: 'EU', country: 'GB', region: 'England', city: null });
  });

  it('falls back to the country if the city database has no entry', async () => {
    const places = await openPlaces(fixture('nested.mmdb'));
    // One that is missing, and one with only a continent.
    expect(places.place('77.88.55.242')).toEqual({ continent: 'EU', country: 'RU', ...countryOnly });
    expect(places.place('9.9.9.9')).toMatchObject({ country: expect.stringMatching(/^[A-Z]{2}$/), ...countryOnly });
  });

  it('refuses a file that is not a database, and names it', async () => {
    await expect(openPlaces(fixture('README.md'))).rejects.toThrow('README.md" is not a database of places');
    await expect(openPlaces(fixture('missing.mmdb'))).rejects.toThrow('missing.mmdb');
  });
});

describe('continentOf', () => {
  it('has an entry for each region of ISO 3166 that Node knows', () => {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const known = letters
      .flatMap((first) => letters.map((second) => first + second))
      .filter((code) => names.of(code) !== code);
    // CLDR codes that are not countries: outlying areas, unions, and codes of former states.
    const others = [
      'AC',
      'AN',
      'BU',
      'CP',
      'CQ',
      'CS',
      'DD',
      'DG',
      'DY',
      'EA',
      'EU',
      'EZ',
      'FX',
      'HV',
      'IC',
      'NH',
      'NT',
      'QO',
      'QU',
      'RH',
      'SU',
      'TA',
      'TP',
      'UK',
      'UN',
      'VD',
      'XA',
      'XB',
      'YD',
      'YU',
      'ZR',
      'ZZ',
    ];
    expect(known.filter((code) => !others.includes(code) && continentOf(code) === null)).toEqual([]);
    expect(known.length).toBeGreaterThan(240);
  });
});
