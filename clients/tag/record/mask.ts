/**
 * Masks text and addresses in recorded events by the rules of the intake (domain/privacy), because chunks are stored as
 * they arrive. It processes rrweb's events before they are serialised: rrweb's own masking covers only text, and no
 * text directly in a shadow tree.
 */
import { withoutPersonalAddress } from '../../../domain/privacy/addresses.ts';
import { withoutContacts, withoutEmails } from '../../../domain/privacy/contactsInTexts.ts';

/** Elements that the site marks, and editors, in which visitors write as in inputs. */
export const MASKED = '[data-svc-mask],[contenteditable]:not([contenteditable="false" i])';
/** rrweb leaves these elements out, but not what a page puts into one of them within a component. */
export const BLOCKED = '[data-svc-private],[data-svc-block]';

/** rrweb's numbers for event types, node types, and the sources of mutations and inputs. */
const [FULL_SNAPSHOT, INCREMENTAL, META] = [2, 3, 4];
const [ELEMENT, TEXT] = [2, 3];
const [MUTATION, INPUT] = [0, 5];

/** The DOM's numbers for node types. */
const [ELEMENT_NODE, TEXT_NODE, DOCUMENT_NODE, FRAGMENT_NODE] = [1, 3, 9, 11];

/** The parts of the types of @rrweb/types that are used here. */
interface SerializedNode {
  id: number;
  type: number;
  tagName?: string;
  isSVG?: true;
  attributes?: Attributes;
  textContent?: string;
  childNodes?: SerializedNode[];
}
type Attributes = Record<string, unknown>;
interface Mutation {
  source: number;
  adds?: { parentId: number; node: SerializedNode }[];
  texts?: { id: number; value: string | null }[];
  attributes?: { id: number; attributes: Attributes }[];
}
interface Input {
  source: number;
  id: number;
  text: string;
  isChecked: boolean;
}
export interface RecordedEvent {
  type: number;
  data: unknown;
}

export interface Masking {
  /** Whether to mask all text, and not only what looks personal. */
  all: boolean;
  /** Returns the node with an id in an event. */
  nodeOf(id: number): Node | null;
}

const ADDRESSES = /^(?:href|src|action|formaction|poster|cite|data|background|xlink:href|ping|rr_src)$/;
const LISTS_OF_ADDRESSES = /^(?:image)?srcset$/;
/** Parts of a `style` attribute to mask: quoted strings, and addresses without quotes. */
const IN_STYLE = /(url\(\s*)([^"')\\]*(?:\\.[^"')\\]*)*)|"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)'/gis;
/**
 * Input types whose value is their label. The value of any other input belongs to the visitor, or is what the site
 * knows about the visitor.
 */
const LABELLED = /^(?:submit|button|reset|image)$/i;
/**
 * Attributes that people read, or in which scripts keep data. In a marked element their whole text is masked, except
 * that of data attributes.
 */
const TEXT_ATTRIBUTES = /^(?:title|alt|placeholder|label|value|content|summary|abbr|srcdoc|aria-.+|data-.+)$/;
/** Style sheets select elements by these attributes, so a value is masked only if it looks personal. */
const DATA_ATTRIBUTES = /^data-/;
/** The text of a style sheet, in an attribute of rrweb's own. */
const STYLE_SHEET = '_cssText';
const BLOB = /^blob:/i;
const SCRIPT = /^javascript:/i;
const DATA = /^\s*data:([^;,]*)([^,]*),(.*)$/is;
/** Also matches in attributes from which scripts load pictures later, but not in text such as `Data: one, two`. */
const IS_DATA = /^data:[\w.+-]+\/[\w.+-]+[;,]/i;
/**
 * Types of inline files that are recorded unchanged: text drawn in pictures cannot be recognised, and style sheets
 * belong to the site.
 */
const KEPT_DATA = /^(?:image\/(?!svg)|audio\/|video\/|font\/|text\/css)/i;
const DRAWN_DATA = /^image\/svg/i;
/** Parts of an SVG picture that hold words. */
const SVG_TEXT = /<(?:[\w-]+:)?(?:text|title|desc|foreignobject)|<!entity/i;
/** Stands for an inline file that is not recorded. */
const NO_DATA = 'data:,';

/** Masks the event in place: nothing else holds a reference to it. */
export function maskEvent({ type, data }: RecordedEvent, masking: Masking): void {
  if (type === META) maskMeta(data as { href?: unknown });
  else if (type === FULL_SNAPSHOT) maskNode((data as { node: SerializedNode }).node, masking, masking.all);
  else if (type === INCREMENTAL && (data as Mutation).source === MUTATION) maskMutation(data as Mutation, masking);
  else if (type === INCREMENTAL && (data as Input).source === INPUT) maskInput(data as Input, masking);
}

function maskMeta(data: { href?: unknown }): void {
  if (typeof data.href === 'string') data.href = withoutPersonalAddress(data.href);
}

function maskMutation({ adds, texts, attributes }: Mutation, masking: Masking): void {
  const { all, nodeOf } = masking;
  for (const { parentId, node } of adds ?? [])
    maskNode(node, masking, all || isMasked(nodeOf(parentId)), isStyle(nodeOf(parentId)));
  for (const text of texts ?? []) {
    const node = nodeOf(text.id);
    // An empty text has nothing to mask, and a row of them would take quadratic time: each would search all neighbours.
    if (text.value && !isStyle(node?.parentNode ?? null))
      text.value = maskTextNode(text.value, node, all || isMasked(node));
  }
  for (const change of attributes ?? []) {
    const node = nodeOf(change.id);
    maskAttributes(change.attributes, all || isMasked(node), isDrawing(node));
    maskEntered(change.attributes, node?.nodeName, (node as HTMLInputElement | null)?.type);
  }
}

/** Types of `<select>`. Even the length of its value would tell which option is chosen. */
const SELECT = /^select-(?:one|multiple)$/;

/** Masks the values that rrweb leaves alone: hidden inputs, file names and choices. */
function maskInput(input: Input, { nodeOf }: Masking): void {
  const { type = '' } = (nodeOf(input.id) ?? {}) as { type?: string };
  if (SELECT.test(type)) input.text = '';
  else if (!LABELLED.test(type)) input.text = hidden(input.text);
  input.isChecked = false;
}

/** Masks the attributes that show what is entered in an input, or which box or option is chosen. */
function maskEntered(attributes: Attributes, tagName: string | undefined, type: unknown): void {
  const name = tagName?.toLowerCase();
  if (name === 'select') delete attributes['value'];
  if (name === 'option') delete attributes['selected'];
  if (name !== 'input' || (typeof type === 'string' && LABELLED.test(type))) return;
  if (typeof attributes['value'] === 'string') attributes['value'] = hidden(attributes['value']);
  delete attributes['checked'];
}

function maskNode(node: SerializedNode, masking: Masking, isWithin: boolean, isOfStyle = false): void {
  const isHidden = isWithin || isSlottedIntoMasked(masking.nodeOf(node.id));
  if (node.type === TEXT && node.textContent && !isOfStyle)
    node.textContent = maskTextNode(node.textContent, masking.nodeOf(node.id), isHidden);
  const { attributes } = node;
  const hides = isHidden || (node.type === ELEMENT && attributes !== undefined && isMarked(attributes));
  if (attributes) {
    maskAttributes(attributes, hides, node.isSVG === true);
    maskEntered(attributes, node.tagName, attributes['type']);
  }
  for (const child of node.childNodes ?? []) maskNode(child, masking, hides, node.tagName === 'style');
}

/** @param isDrawing true for an element of SVG, whose attributes are full of numbers */
function maskAttributes(attributes: Attributes, isHidden: boolean, isDrawing: boolean): void {
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (name === 'style') attributes[name] = maskStyle(value);
    else if (typeof value !== 'string' || value === '' || name === STYLE_SHEET) continue;
    else if (ADDRESSES.test(name)) attributes[name] = maskAddress(value);
    else if (LISTS_OF_ADDRESSES.test(name)) attributes[name] = value.replace(/\S+/g, maskCandidate);
    else if (IS_DATA.test(value) && !isKeptList(value)) attributes[name] = maskAddress(value);
    else if (TEXT_ATTRIBUTES.test(name)) attributes[name] = maskText(value, isHidden && !DATA_ATTRIBUTES.test(name));
    else attributes[name] = isDrawing ? withoutEmails(value) : withoutContacts(value);
  }
}

/**
 * Returns true for a list that begins with an inline file of a kept type, as in `data-srcset`: other addresses may
 * follow, so the value is masked like text.
 */
function isKeptList(value: string): boolean {
  return /\s/.test(value) && maskAddress(value) === value;
}

function maskAddress(address: string): string {
  if (SCRIPT.test(address)) return withoutContacts(address);
  if (BLOB.test(address)) return address;
  const [found, type = '', parameters = '', content = ''] = DATA.exec(address) ?? [];
  if (found === undefined) return withoutPersonalAddress(address);
  if (KEPT_DATA.test(type)) return address;
  return DRAWN_DATA.test(type) && !hasSvgText(decoded(content, parameters)) ? address : NO_DATA;
}

/**
 * Returns true if a drawing, an SVG picture, contains words. Any may be personal, and a contact may be split over
 * several elements, so such a picture is not recorded at all.
 */
function hasSvgText(drawing: string | null): boolean {
  return drawing === null || SVG_TEXT.test(drawing) || withoutEmails(drawing) !== drawing;
}

/** Decodes a data: address byte by byte, which is enough to find element names; null if it cannot be decoded. */
function decoded(content: string, parameters: string): string | null {
  try {
    const text = content.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
    return /;\s*base64\s*$/i.test(parameters) ? atob(text) : text;
  } catch {
    return null;
  }
}

/** Masks a word of a `srcset`: an address or its size. A trailing comma separates it from the next one. */
function maskCandidate(word: string): string {
  let { length } = word;
  while (word[length - 1] === ',') length -= 1;
  return maskAddress(word.slice(0, length)) + word.slice(length);
}

/** Masks a style: a string, or rrweb's form of a change, with values by property, each with or without a priority. */
function maskStyle(style: unknown): unknown {
  if (typeof style === 'string') return withoutEmails(style.replace(IN_STYLE, maskInStyle));
  if (Array.isArray(style)) return style.map(maskStyle);
  if (typeof style !== 'object' || style === null) return style;
  return Object.fromEntries(Object.entries(style).map(([property, value]) => [property, maskStyle(value)]));
}

function maskInStyle(found: string, opening?: string, bare = '', ...[double, single]: (string | undefined)[]): string {
  if (opening !== undefined) return opening + maskAddress(bare);
  const quote = found.charAt(0);
  return quote + maskAddress(double ?? single ?? '') + quote;
}

function maskText(text: string, isHidden: boolean): string {
  return isHidden ? hidden(text) : withoutContacts(text);
}

/**
 * Masks the text of a node. Frameworks make a text node of each value that they insert, so a contact may begin in one
 * node and end in its neighbour: the part in this node is hidden then.
 */
function maskTextNode(text: string, node: Node | null, isHidden: boolean): string {
  const own = maskText(text, isHidden);
  if (isHidden) return own;
  const [before, after] = [neighbours(node, 'previousSibling'), neighbours(node, 'nextSibling')];
  if (before + after === '') return own;
  const isWhole = withoutContacts(before + text + after) === withoutContacts(before) + own + withoutContacts(after);
  return isWhole ? own : hidden(text);
}

/** Longer than any address or number that is recognised. */
const NEIGHBOURS_LENGTH = 400;

/** Returns the text of adjoining text nodes on one side. */
function neighbours(node: Node | null, side: 'previousSibling' | 'nextSibling'): string {
  const isBefore = side === 'previousSibling';
  let text = '';
  for (let at = node?.[side]; at?.nodeType === TEXT_NODE && text.length < NEIGHBOURS_LENGTH; at = at[side]) {
    const part = at.nodeValue ?? '';
    text = isBefore ? part.slice(-NEIGHBOURS_LENGTH) + text : text + part.slice(0, NEIGHBOURS_LENGTH);
  }
  return text;
}

function hidden(text: string): string {
  return text.replace(/\S/g, '*');
}

function isDrawing(node: Node | null): boolean {
  return (node as Element | null)?.namespaceURI === 'http://www.w3.org/2000/svg';
}

function isStyle(node: Node | null): boolean {
  return node?.nodeName === 'STYLE';
}

/** Returns true for the attributes of an element that {@link MASKED} selects. */
function isMarked(attributes: Attributes): boolean {
  const { contenteditable = 'false' } = attributes;
  return 'data-svc-mask' in attributes || String(contenteditable).toLowerCase() !== 'false';
}

/**
 * Returns true for what is shown within an element that {@link MASKED} or {@link BLOCKED} selects, across shadow trees,
 * slots and frames. A frame has classes of its own, so `instanceof` recognises nothing in it.
 */
function isMasked(node: Node | null): boolean {
  let at: Node | null = node;
  while (at !== null) {
    if (at.nodeType === ELEMENT_NODE && (at as Element).matches(`${MASKED},${BLOCKED}`)) return true;
    const outer: Node | null = slotOf(at) ?? at.parentNode;
    at = outer ?? hostElementOf(at);
  }
  return false;
}

function isSlottedIntoMasked(node: Node | null): boolean {
  return isMasked(node && slotOf(node));
}

/** Returns the slot of an open shadow tree in which the node is shown. */
function slotOf(node: Node): HTMLSlotElement | null {
  return (node as Partial<Element>).assignedSlot ?? null;
}

/** Returns the element that holds a shadow tree or the document of a frame; null for any other root. */
function hostElementOf(root: Node): Element | null {
  if (root.nodeType === DOCUMENT_NODE) return (root as Document).defaultView?.frameElement ?? null;
  return root.nodeType === FRAGMENT_NODE ? ((root as Partial<ShadowRoot>).host ?? null) : null;
}
