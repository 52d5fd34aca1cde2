/**
 * The words of a text that a content system stores as HTML. Integrators send what their editors wrote, and marks of
 * HTML are neither words nor sentences.
 */

/** Elements that begin a new line; other known ones are within a line. */
const BLOCKS = new Set(
  `address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer form h1
  h2 h3 h4 h5 h6 head header hr html iframe li main nav noscript ol p pre section summary table tbody tfoot thead title
  tr ul video`.split(/\s+/),
);
const CELLS = new Set(['td', 'th']);
/** Elements within a line, and so perhaps within a word. */
export const INLINE: ReadonlySet<string> = new Set(
  `a abbr audio b bdi bdo big button cite code del dfn em embed font i img input ins kbd label link mark meta nobr object q
  s samp small source span strike strong sub sup svg time tt u var wbr`.split(/\s+/),
);
/** Elements whose content is no text. */
const UNSEEN = new Set(['script', 'style', 'template']);

const TAG = /<(\/?)([a-z][a-z0-9]*)(?:[\s/][^<>]*)?>/gi;
/**
 * A text is HTML if it has an opening and a closing tag of one of these elements, or a tag `<br>`. Texts with only
 * "List<string>" or "</p>" are not HTML.
 */
const PAIRED = new Set(
  'a b strong i em p div span li ul ol h1 h2 h3 h4 h5 h6 table td tr blockquote section article u'.split(' '),
);
/** Browsers read numbers and the soft hyphen without the semicolon, too. */
const REFERENCE = /&(?:#(\d{1,7});?|#x([0-9a-f]{1,6});?|([a-z]{2,14}(?:\d\d)?);|(shy)(?![a-z=]))/gi;
/** Maximum length of a reference. */
const MAX_REFERENCE = 18;
const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  shy: '',
  zwj: '',
  zwnj: '',
  zerowidthspace: '',
  laquo: '«',
  raquo: '»',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  lsquo: '‘',
  rsquo: '’',
  ndash: '–',
  mdash: '—',
  minus: '−',
  hellip: '…',
  bull: '•',
  middot: '·',
  deg: '°',
  times: '×',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  pound: '£',
  sect: '§',
  frac12: '½',
};

/** HTML's names of Russian letters, in the order of the alphabet: `&pcy;` is «п», `&Pcy;` is «П». */
const LETTERS =
  `acy bcy vcy gcy dcy iecy iocy zhcy zcy icy jcy kcy lcy mcy ncy ocy pcy rcy scy tcy ucy fcy khcy tscy chcy shcy shchcy
  hardcy ycy softcy ecy yucy yacy`.split(/\s+/);

/**
 * Returns the text that a reader of the page sees: without tags, comments and scripts, with a line for each block and
 * the characters that references stand for. A text without markup is returned unchanged, apart from its references.
 * Takes linear time, even for unclosed tags and comments.
 */
export function plainText(text: string): string {
  const words = isHtml(text) ? withoutTags(withoutComments(text)) : text;
  return words.includes('&') ? words.replace(REFERENCE, characterOf) : words;
}

/**
 * Returns the beginning of a text without the comment, script, style, tag or reference in which it was cut. Use it only
 * for texts that were cut: in a whole text, an opening that is never closed is plain text. Takes linear time.
 */
export function withoutOpenEnd(text: string): string {
  let kept = beforeUnclosed(text, /<!--/, /-->/g);
  for (const name of UNSEEN)
    kept = beforeUnclosed(kept, new RegExp(`<${name}[\\s/>]`, 'i'), new RegExp(`</${name}\\s*>`, 'gi'));
  const lastTag = kept.lastIndexOf('<');
  const isOpen = lastTag > kept.lastIndexOf('>') && /^<(?:$|[/!a-z])/i.test(kept.slice(lastTag, lastTag + 2));
  return isOpen ? kept.slice(0, lastTag) : kept.slice(0, kept.length - openReference(kept));
}

/** Returns what precedes the first opening after the last closing. */
function beforeUnclosed(text: string, opening: RegExp, closing: RegExp): string {
  const closed = [...text.matchAll(closing)].at(-1);
  const from = closed === undefined ? 0 : closed.index + closed[0].length;
  const opened = text.slice(from).search(opening);
  return opened < 0 ? text : text.slice(0, from + opened);
}

/** Returns the length of the reference in which a text ends. */
function openReference(text: string): number {
  return /&[#a-z][#a-z\d]*$/i.exec(text.slice(-MAX_REFERENCE))?.[0].length ?? 0;
}

/** The texts that an integrator writes about an item. */
export type OwnTexts = Record<'title' | 'description' | 'body', string | null>;

/**
 * Returns an item's own texts as plain text. Pass them as they were sent: if it were applied twice, `&amp;lt;p&amp;gt;`
 * would become a tag.
 */
export function plainTexts({ title, description, body }: OwnTexts): OwnTexts {
  return {
    title: title && plainText(title),
    description: description && plainText(description),
    body: body && plainText(body),
  };
}

function isHtml(text: string): boolean {
  const opened = new Set<string>();
  for (const [, slash = '', written = ''] of text.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (name === 'br' || (slash === '/' && PAIRED.has(name) && opened.has(name))) return true;
    if (slash === '') opened.add(name);
  }
  return false;
}

function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start);
    if (end < 0) break;
    kept += text.slice(from, start);
    from = end + 3;
  }
  return kept + text.slice(from);
}

function withoutTags(html: string): string {
  let text = '';
  let from = 0;
  let unseen: string | null = null;
  // An element that is never closed would hide the rest of the text.
  const lastClosing = lastClosingTags(html);
  for (const match of html.matchAll(TAG)) {
    const [tag, slash = '', written = ''] = match;
    const name = written.toLowerCase();
    const isUnclosed = UNSEEN.has(name) && slash === '' && match.index > (lastClosing.get(name) ?? -1);
    const replacement = isUnclosed ? null : replacementOf(name, slash === '/');
    if (replacement === null && unseen === null) continue;
    if (unseen === null) text += html.slice(from, match.index) + (replacement ?? '');
    if (unseen === null && slash === '' && UNSEEN.has(name)) unseen = name;
    else if (unseen === name && slash === '/') unseen = null;
    from = match.index + tag.length;
  }
  const lines = (unseen === null ? text + html.slice(from) : text).split('\n').map((line) => line.trim());
  return lines.join('\n').replace(/\n{3,}/g, '\n\n');
}

/** Returns where the last closing tag of each element begins. */
function lastClosingTags(html: string): Map<string, number> {
  const last = new Map<string, number>();
  for (const { 1: slash, 2: name = '', index } of html.matchAll(TAG))
    if (slash === '/') last.set(name.toLowerCase(), index);
  return last;
}

/** Returns what stands for a tag; null for one that HTML does not have, such as a type in code. */
function replacementOf(name: string, closes: boolean): string | null {
  if (name === 'li') return closes ? '\n' : '\n- ';
  if (BLOCKS.has(name)) return '\n';
  if (CELLS.has(name)) return ' ';
  return INLINE.has(name) || UNSEEN.has(name) ? '' : null;
}

function characterOf(reference: string, decimal?: string, hexadecimal?: string, whole?: string, cut?: string): string {
  const name = whole ?? cut;
  if (name !== undefined) return characterNamed(name) ?? reference;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const isCharacter = code >= 0x20 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code).replace('\u00a0', ' ') : ' ';
}

function characterNamed(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (Object.hasOwn(CHARACTERS, lower)) return CHARACTERS[lower];
  const letter = 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя'[LETTERS.indexOf(lower)];
  return /^[A-Z]/.test(name) ? letter?.toUpperCase() : letter;
}
