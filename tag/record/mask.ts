/**
 * Masks texts and addresses in recorded events by the rules of the intake (domain/privacy), since chunks are stored
 * as they come. Runs over rrweb's events before they are written: its own masking sees texts alone, and none that lie
 * directly in a shadow tree.
 */
import { withoutPersonalAddress } from '../../domain/privacy/addresses.ts';
import { withoutContacts } from '../../domain/privacy/texts.ts';

export const MASKED = '[data-svc-mask]';

/** rrweb's numbers for types of events, of nodes, and the source of a mutation. */
const [FULL_SNAPSHOT, INCREMENTAL, META] = [2, 3, 4];
const [ELEMENT, TEXT] = [2, 3];
const MUTATION = 0;

/** As @rrweb/types have it, as far as it is looked at. */
interface SerializedNode {
  type: number;
  tagName?: string;
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
export interface RecordedEvent {
  type: number;
  data: unknown;
}

export interface Masking {
  /** All texts, whatever they are. */
  all: boolean;
  /** The node of an id in an event. */
  nodeOf(id: number): Node | null;
}

const ADDRESSES = /^(?:href|src|action|formaction|poster|cite|data|background|xlink:href|ping|rr_src)$/;
/** Attributes that people read, and those that scripts keep. Others are for styles and forms, or drawings full of numbers. */
const WORDS = /^(?:title|alt|placeholder|label|value|content|summary|abbr|aria-.+|data-.+)$/;
/** Styles select by these: masked only where they look personal. */
const OF_STYLES = /^data-/;
const INLINE = /^(?:data|blob|javascript):/i;

/** Changes the event in place: nobody else has it. */
export function maskEvent({ type, data }: RecordedEvent, masking: Masking): void {
  if (type === META) maskMeta(data as { href?: unknown });
  else if (type === FULL_SNAPSHOT) maskNode((data as { node: SerializedNode }).node, masking.all);
  else if (type === INCREMENTAL && (data as Mutation).source === MUTATION) maskMutation(data as Mutation, masking);
}

function maskMeta(data: { href?: unknown }): void {
  if (typeof data.href === 'string') data.href = withoutPersonalAddress(data.href);
}

function maskMutation({ adds, texts, attributes }: Mutation, { all, nodeOf }: Masking): void {
  for (const { parentId, node } of adds ?? [])
    maskNode(node, all || isMasked(nodeOf(parentId)), isStyle(nodeOf(parentId)));
  for (const text of texts ?? []) {
    const node = nodeOf(text.id);
    if (text.value !== null && !isStyle(node?.parentNode ?? null))
      text.value = maskText(text.value, all || isMasked(node));
  }
  for (const change of attributes ?? []) maskAttributes(change.attributes, all || isMasked(nodeOf(change.id)));
}

function maskNode(node: SerializedNode, isHidden: boolean, isOfStyle = false): void {
  if (node.type === TEXT && node.textContent && !isOfStyle) node.textContent = maskText(node.textContent, isHidden);
  const { attributes } = node;
  const hides = isHidden || (node.type === ELEMENT && attributes !== undefined && 'data-svc-mask' in attributes);
  if (attributes) maskAttributes(attributes, hides);
  for (const child of node.childNodes ?? []) maskNode(child, hides, node.tagName === 'style');
}

function maskAttributes(attributes: Attributes, isHidden: boolean): void {
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (typeof value !== 'string' || value === '') continue;
    if (ADDRESSES.test(name)) attributes[name] = INLINE.test(value) ? value : withoutPersonalAddress(value);
    else if (WORDS.test(name)) attributes[name] = maskText(value, isHidden && !OF_STYLES.test(name));
  }
}

function maskText(text: string, isHidden: boolean): string {
  return isHidden ? text.replace(/\S/g, '*') : withoutContacts(text);
}

function isStyle(node: Node | null): boolean {
  return node?.nodeName === 'STYLE';
}

/** In an element with the attribute, through shadow trees too. */
function isMasked(node: Node | null): boolean {
  let at: Node | null = node;
  while (at !== null) {
    const element = at instanceof Element ? at : at.parentElement;
    if (element?.closest(MASKED)) return true;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return false;
}
