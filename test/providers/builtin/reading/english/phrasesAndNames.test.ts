import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Reader } from '../../../../../providers/builtin/reading/common/types.ts';
import { loadEnglish } from '../../../../../providers/builtin/reading/english/phrasesAndNames.ts';
import { testSentenceEncoder, testTextReaders } from '../../../../support/programs/engines.ts';

let reader: Reader;
beforeAll(async () => {
  const { english } = await testTextReaders();
  if (english === null) throw new Error('the English network is missing');
  reader = loadEnglish({ network: english, encoder: await testSentenceEncoder() });
});

const phrasesOf = (text: string): string[] => [...new Set(reader.read(text).phrases.map((phrase) => phrase.text))];
const namesOf = (text: string): string[] => reader.read(text).names.map(({ type, name }) => `${type} ${name}`);

describe('English noun phrases', () => {
  it('have no units of amounts in them', () => {
    const phrases = phrasesOf(
      'Add 2 tbsp olive oil, 300 ml coconut milk and 200 g cooked lentils.\n1 tsp ground cumin\n3 cups plain flour\n2 lb minced beef',
    );
    expect(phrases).toEqual(expect.arrayContaining(['olive oil', 'coconut milk', 'lentil', 'plain flour']));
    expect(phrases.join('; ')).not.toMatch(/\b(?:tbsp|ml|g|tsp|cups?|lb)\b/);
  });

  it('keep a word that is also a unit if there is no amount', () => {
    expect(phrasesOf('The bike has a cup holder, and the pound coin is round.')).toEqual(
      expect.arrayContaining(['cup holder', 'pound coin']),
    );
  });

  it('do not include places, even where the network finds no name', () => {
    const phrases = phrasesOf(
      'Verdant Foods to close Stockport plant and move production to Leeds\nSTOCKPORT, 3 March',
    );
    expect(phrases).toContain('production');
    expect(phrases.join('; ')).not.toMatch(/^(?:leeds|stockport)$|; (?:leeds|stockport)(?:;|$)/i);
  });

  it('have neither articles nor "cannot" in them', () => {
    const phrases = phrasesOf('A goal by Tom Reed\nThe old site cannot be rebuilt. Fish that cannot breathe will die.');
    expect(phrases.join('; ')).not.toMatch(/\b(?:a|cannot|breathe)\b/i);
  });

  it('do not include the title of a person who is named', () => {
    const phrases = phrasesOf(
      'Councillor Helen Hayes said work would begin in March. It will help, said Mr Patel. Prime Minister Donald Tusk agreed. A councillor asked the professor.',
    );
    expect(phrases).toEqual(expect.arrayContaining(['councillor', 'professor']));
    expect(phrases.join('; ')).not.toMatch(/Councillor|Mr|Minister/);
  });

  it('have no words of another alphabet', () => {
    const phrases = phrasesOf('The translators had written «отчёт» on the button, and «склад» in the menu.');
    expect(phrases).toEqual(expect.arrayContaining(['translator', 'button', 'menu']));
    expect(phrases.join('; ')).not.toMatch(/\p{Script=Cyrillic}/u);
  });

  it('have the singular of nouns that the tagger takes for names or for singulars', () => {
    const phrases = phrasesOf('The trust counts newts, frogs and toads. Senior ecologist (bats and newts)');
    expect(phrases).toContain('newt');
    expect(phrases).not.toContain('newts');
  });
});

describe('English compounds with hyphens', () => {
  it.each([
    ['The start-up raised money from investors.', ['start-up', 'money', 'investor']],
    ['A new T-shirt hung there.', ['T-shirt']],
    ['The X-ray showed a fracture.', ['X-ray', 'fracture']],
    ['Push-ups build strength.', ['push-up', 'strength']],
    ['She paid for the ice-cream and the check-in.', ['ice-cream', 'check-in']],
    ['The mother-in-law laughed.', ['mother-in-law']],
    ['A non-EU co-pilot slept.', []],
    ['The barbecue set-up failed.', ['barbecue set-up', 'set-up']],
  ])('are not split in "%s"', (text, expected) => {
    expect(phrasesOf(text)).toEqual(expected);
  });

  it('are left out if they are common adjectives', () => {
    expect(phrasesOf('We offer a two-year warranty and a long-term contract.')).toEqual(['warranty', 'contract']);
  });

  it('show that the name after them is a firm if they are a kind of firm', () => {
    expect(namesOf('Prices fell. A start-up, Belvar, failed.')).toEqual(['organization Belvar']);
  });
});

describe('English names', () => {
  it.each([
    ['Rostov-on-Don won against Spartak.', ['place Rostov-on-Don', 'organization Spartak']],
    ['The Stoke-on-Trent site of the firm will close.', ['place Stoke-on-Trent']],
    ['Ulan-Ude said that Guinea-Bissau would help.', ['place Ulan-Ude', 'place Guinea-Bissau']],
    ['Trinidad and Tobago won.', ['place Trinidad and Tobago']],
  ])('of places are whole in %s', (text, names) => {
    expect(namesOf(text)).toEqual(names);
    expect(phrasesOf(text).join('; ')).not.toMatch(/trent|don|ude/i);
  });

  it('of organisations contain the whole name of a place with hyphens', () => {
    expect(namesOf('The University of Southend-on-Sea opened.')).toEqual([
      'organization University of Southend-on-Sea',
    ]);
  });

  it('of places include towns and counties that the list of cities lacks', () => {
    const names = namesOf(
      'The firm will join its Bristol office. The surveys are in Devon and Gloucestershire. A concert will be held at Ludlow in May. The Sheffield site will close.',
    );
    expect(names).toEqual(['place Bristol', 'place Devon', 'place Gloucestershire', 'place Ludlow', 'place Sheffield']);
  });

  it('include a capitalised word within a sentence, whatever the tagger takes it for', () => {
    expect(namesOf('The job is hybrid. It will move production to Leeds, where it will invest.')).toEqual([
      'place Leeds',
    ]);
  });

  it('of people include a surname of somebody named before', () => {
    expect(
      namesOf(
        'Margaret Ellery has died. Born in Belfast, Ellery trained as a chemist. Enzo Ferrari founded the carmaker Ferrari.',
      ),
    ).toEqual([
      'person Margaret Ellery',
      'place Belfast',
      'person Ellery',
      'person Enzo Ferrari',
      'organization Ferrari',
    ]);
  });

  it('of people include those after words for neighbours and colleagues', () => {
    expect(namesOf('It cost our colleague Priya two days. My neighbour Oluchi helped.')).toEqual([
      'person Priya',
      'person Oluchi',
    ]);
  });

  it('of firms keep an apostrophe that is not followed by what they own', () => {
    expect(namesOf("She worked for the biscuit maker Huntley's before the war.")).toEqual(["organization Huntley's"]);
    expect(namesOf("The retailer Sainsbury's shares fell. She bought it from the publisher Faber.")).toEqual([
      'organization Sainsbury',
      'organization Faber',
    ]);
  });

  it('of places include the one after a street', () => {
    expect(namesOf('The licence is for the hall in Quay Lane, Westmoor.')).toContain('place Westmoor');
  });

  it('do not include ordinary nouns at the start of a sentence', () => {
    expect(namesOf('Rainwater is best for orchids and ferns.\nCactus\nfortnightly')).toEqual([]);
    expect(namesOf('Baker wrote three books.')).toEqual(['person Baker']);
  });

  it('do not include the titles of offices', () => {
    const text =
      '1. A register is kept at the library.\n2. Any person may write to the Licensing Officer no later than 28 days after the date of this notice.\nThe Managing Director replied to the Foreign Secretary.';
    expect(namesOf(text)).toEqual([]);
  });

  it('of newspapers and ships may end like a role', () => {
    expect(namesOf('He told the Daily Star that the club would appeal.')).toEqual(['organization Daily Star']);
    expect(namesOf('He sailed on the Ocean Explorer.').join()).toContain('Ocean Explorer');
    expect(namesOf('He joined the Sea Shepherd in 2010.').join()).toContain('Sea Shepherd');
  });

  it.each(['Devon said he was ready.', 'Bedford scored twice.'])('of people may be those of places: %s', (text) => {
    expect(namesOf(text)).toEqual([`person ${text.split(' ')[0]}`]);
  });
});

describe('the English reader', () => {
  it('does not keep texts in memory for the words that it remembers', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const read = (word: string): void => {
      // The text is decoded from bytes, because V8 keeps a concatenated string as references to its parts.
      reader.read(Buffer.from(`${' '.repeat(100_000)}The cat ‘${word}’ sat.`).toString());
    };
    read('remarkable');
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let letters = 1; letters <= 40; letters += 1) read(`unrepeatability${'x'.repeat(letters)}`);
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000);
  });
});
