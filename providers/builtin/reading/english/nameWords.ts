/** Words beside or in an English name that show its kind. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Titles that stand directly before the name of a person. */
export const TITLES = words(`
mr mrs ms miss mx dr prof professor sir dame lord lady captain colonel general lieutenant sergeant major admiral
president chancellor senator councillor alderman mayor judge justice bishop cardinal pope king queen prince princess
reverend rabbi imam inspector constable commissioner emperor empress tsar tsarina sultan shah kaiser duke duchess earl
baron baroness archduke archbishop patriarch abbot abbess sheikh emir madame monsieur herr frau señor señora signor
`);

/** Titles with which the names of firms, units and ships do not begin. */
export const SURE_TITLES = words(
  'mr mrs ms miss mx dr prof professor sir senator councillor alderman mayor archbishop patriarch archduke tsar tsarina herr frau',
);

/** Occupations and relatives before the name of a person: "astronaut Tim Peake", "my grandmother Rosalba". */
export const ROLES = words(`
actor actress ambassador analyst anchor archaeologist architect artist astronaut astronomer athlete attorney author
baker ballerina baritone barista bassist biologist blogger boxer broadcaster builder butcher cellist champion chef
chemist choreographer coach comedian commentator composer conductor cook curator cyclist dancer designer detective
developer diplomat director doctor drummer economist editor engineer explorer farmer filmmaker firefighter gardener
geologist goalkeeper guitarist head historian host illustrator instructor inventor journalist keeper lawyer leader
lecturer librarian magician manager mathematician mechanic midfielder minister model musician nurse nutritionist
organiser organist painter pharmacist philosopher photographer physicist pianist pilot playwright plumber poet politician
potter presenter producer programmer prosecutor psychologist rapper referee reporter researcher sailor scientist
screenwriter sculptor secretary shepherd singer skipper sociologist soloist songwriter soprano spokesman spokesperson
spokeswoman star striker surgeon swimmer teacher tenor trainer translator trumpeter tutor vet violinist winemaker writer
aunt auntie boyfriend brother cousin daughter father girlfriend grandad grandfather grandma grandmother grandpa granny
husband mother mum nephew niece sister son uncle wife
boss classmate colleague friend neighbor neighbour roommate teammate
`);

/**
 * Last words of offices: "the Licensing Officer". Other roles also end the names of newspapers, ships and groups ("the
 * Daily Star", "the Sea Shepherd").
 */
export const OFFICES = words('ambassador director manager minister officer prosecutor secretary');

/** Kinds of organisations before their name: "the supplier, Aisin", "by publisher Faber". */
export const KINDS = words(`
agency airline automaker bakery band bank brand brewer brewery broadcaster carmaker chain charity chipmaker company
consultancy contractor cooperative co-operative distributor drugmaker firm foundation giant group
hotelier insurer label lender maker manufacturer newspaper ngo nonprofit operator orchestra organisation organization
publisher retailer rival shipbuilder shipyard start-up startup subsidiary supermarket supplier team
telecom union website winery
`);

/** Kinds of places after or before their name: "Corvara, a village", "the town of Corvara". */
export const KINDS_OF_PLACES = words(`
borough capital city coast country county district island lake mountain neighbourhood port province region resort river
state suburb town valley village parts north south east west outskirts centre
`);

/**
 * Verbs before "by" and a person, then those before "by" and an organisation: "directed by Varda", "published by
 * Faber".
 */
export const WORK_OF_PEOPLE = words(`
acted choreographed coached composed conducted curated designed directed drawn edited invented led narrated painted
performed photographed played presented read sculpted sung taught told translated written
`);
export const WORK_OF_ORGANISATIONS = words(`
acquired bought certified distributed funded issued licensed made manufactured marketed operated owned produced published
run sold sponsored supplied
`);

/** Last and first words of the names of places. */
const LAST_OF_PLACES =
  /^(?:avenue|bay|beach|boulevard|bridge|canyon|castle|coast|county|creek|desert|falls|forest|gardens|harbou?r|hills?|islands?|lane|mountains?|ocean|palace|park|pass|peninsula|quay|river|road|sea|square|station|stadium|strait|street|valley|village|airport)$/i;
const FIRST_OF_PLACES = /^(?:lake|mount|mt|river|cape|fort|port|isle|san|santa|são|los|las)$/i;

export const isOfPlace = (first: string, last: string): boolean =>
  LAST_OF_PLACES.test(last) || FIRST_OF_PLACES.test(first);

/** Last words of the names of organisations. */
const OF_ORGANISATIONS =
  /^(?:academy|agency|airlines?|airways|alliance|association|authority|bank|board|brewery|broadcasting|bureau|chamber|choir|church|clinic|club|college|commission|committee|company|confederation|congress|co-operative|cooperative|corporation|corp|council|department|ensemble|federation|forum|foundation|foundry|gallery|group|guild|holdings|hospital|industries|insurance|inc|institute|institution|laborator(?:y|ies)|labs?|league|library|logistics|ltd|llc|media|motors|ministry|museum|network|office|orchestra|organi[sz]ation|parliament|partners|party|pharmaceuticals|philharmonic|plc|police|press|publishing|quartet|quintet|sextet|trio|records|school|service|society|studios?|symphony|systems|technologies|theatre|trust|union|university|utilities|ventures|works)$/i;

/** Returns whether a word may end the name of an organisation. */
export const isOfOrganisation = (word: string): boolean => OF_ORGANISATIONS.test(word);

/** Capitalised words that are not names: days, months, peoples, languages, feasts, programs. */
const NON_NAMES = words(`
monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
january february march april may june july august september october november december
christmas easter ramadan hanukkah halloween diwali thanksgiving eve pentecost
android bluetooth docker excel firefox html ios iphone ipad java javascript kubernetes linux macos photoshop
powerpoint python ruby sql ubuntu usb wifi windows wordpress
french dutch greek swiss czech thai welsh arab iraqi israeli pakistani bangladeshi
internet web bible koran quran god catholic protestant muslim islam hindu buddhist jewish christian
`);
const DEMONYM = /(?:ish|ese|ian|ians|ean|eans|icans?|mans?|awis?)$/i;

export const isNonName = (word: string): boolean => NON_NAMES.has(word.toLowerCase());

/**
 * Returns whether a word that the network takes for a people has the form of one: "Norwegian" does, "Adyen" does not.
 */
export const isDemonym = (word: string): boolean => DEMONYM.test(word);

/** Verbs before something to press or to type: "press Download". */
export const COMMANDS = words('press click tap select choose type enter hit tick untick');

let known: ReadonlySet<string> | undefined;

export function isFirstName(word: string): boolean {
  known ??= new Set(
    readFileSync(join(import.meta.dirname, 'firstNames.txt'), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .flatMap((line) => line.split(' ')),
  );
  return known.has(word.toLowerCase());
}
