/**
 * Conditions of segments: {dimension, op, values} | {metric, op, value} | {all: […]} | {any: […]} | {not: …}; an array
 * means all; the outermost object may have a `scope`. Any malformed condition is a `bad_filter`.
 */
import { MAX_FAULTS, type FieldFault } from '../../domain/schemas/fieldFaults.ts';
import { isRecord } from '../../domain/isRecord.ts';
import { findMetric } from '../registry/index.ts';
import { COMPARISONS, type Condition, type Segment } from '../reportRequest.ts';
import { REPORT_LIMITS } from './reportLimits.ts';
import { filterFaults, isText, type Given } from './dimensionFilters.ts';
import { createPatternCheck, type CheckPattern } from './patternCheck.ts';

const SCOPES = ['visit', 'visitor'] as const;

/** The state of the search through all conditions. */
interface Search {
  faults: FieldFault[];
  leaves: number;
  isPattern: CheckPattern;
}

/**
 * Returns the faults of a segment's conditions, at most 100, for any value.
 * @param path of the value: `segment`
 * @param isPattern checks patterns within the limits of the request
 */
export function conditionsFaults(
  value: unknown,
  path: string,
  isPattern: CheckPattern = createPatternCheck(),
): FieldFault[] {
  const search: Search = { faults: [], leaves: 0, isPattern };
  const { scope, ...rest } = isRecord(value) ? value : {};
  if (scope !== undefined && !SCOPES.some((known) => known === scope)) bad(search, path);
  checkNode(isRecord(value) ? rest : value, path, 0, search);
  if (search.leaves > REPORT_LIMITS.segmentLeaves) return [{ field: path, code: 'bad_filter' }];
  return oneForEachField(search.faults);
}

/**
 * Returns conditions in their internal form.
 * @param value without faults by {@link conditionsFaults}
 */
export function segmentOf(value: unknown): Segment {
  if (!isRecord(value)) return { scope: 'visit', condition: conditionOf(value) };
  const { scope, ...rest } = value;
  return { scope: scope === 'visitor' ? 'visitor' : 'visit', condition: conditionOf(rest) };
}

/** @param depth number of enclosing groups */
function checkNode(value: unknown, path: string, depth: number, search: Search): void {
  if (search.leaves > REPORT_LIMITS.segmentLeaves || search.faults.length >= MAX_FAULTS) return;
  const group = groupOf(value, path);
  if (group === null) {
    checkLeaf(value, path, search);
    return;
  }
  if (depth === REPORT_LIMITS.segmentDepth || group.length === 0) {
    bad(search, path);
    return;
  }
  for (const member of group) checkNode(member.value, member.path, depth + 1, search);
}

/** Returns the conditions that a group joins; null if it is not a group. */
function groupOf(value: unknown, path: string): { value: unknown; path: string }[] | null {
  if (Array.isArray(value)) return membersOf(value, path);
  if (!isRecord(value)) return null;
  if (hasKeys(value, ['not'])) return [{ value: value['not'], path: `${path}.not` }];
  for (const name of ['all', 'any']) {
    const members = value[name];
    if (hasKeys(value, [name]) && Array.isArray(members)) return membersOf(members, `${path}.${name}`);
  }
  return null;
}

/** Returns only enough members to show that there are too many. */
function membersOf(members: readonly unknown[], path: string): { value: unknown; path: string }[] {
  return members
    .slice(0, REPORT_LIMITS.segmentLeaves + 1)
    .map((value, index) => ({ value, path: `${path}[${index}]` }));
}

function checkLeaf(value: unknown, path: string, search: Search): void {
  search.leaves += 1;
  if (isFilterForm(value)) search.faults.push(...filterFaults(value, path, search.isPattern));
  else if (isMetricForm(value)) search.faults.push(...metricFaults(value, path));
  else bad(search, path);
}

function isFilterForm(value: unknown): value is Given {
  if (!isRecord(value) || !hasKeys(value, ['dimension', 'op', 'values'])) return false;
  const { dimension, op, values } = value;
  return isText(dimension) && isText(op) && Array.isArray(values) && values.every(isText);
}

interface MetricForm {
  metric: string;
  op: unknown;
  value: unknown;
}

function isMetricForm(value: unknown): value is MetricForm {
  return isRecord(value) && hasKeys(value, ['metric', 'op', 'value']) && isText(value['metric']);
}

function metricFaults({ metric, op, value }: MetricForm, path: string): FieldFault[] {
  const found = findMetric(metric);
  const isComparable = COMPARISONS.some((known) => known === op) && typeof value === 'number' && Number.isFinite(value);
  const faults: FieldFault[] = found === null ? [{ field: `${path}.metric`, code: 'unknown_metric' }] : [];
  if (!isComparable || (found !== null && found.metric.perVisit === null))
    faults.push({ field: path, code: 'bad_filter' });
  return faults;
}

function conditionOf(value: unknown): Condition {
  if (Array.isArray(value)) return { all: value.map(conditionOf) };
  const given = value as Given;
  if (Array.isArray(given['all'])) return { all: given['all'].map(conditionOf) };
  if (Array.isArray(given['any'])) return { any: given['any'].map(conditionOf) };
  if (given['not'] !== undefined) return { not: conditionOf(given['not']) };
  return value as Condition;
}

function bad({ faults }: Search, field: string): void {
  faults.push({ field, code: 'bad_filter' });
}

function oneForEachField(faults: readonly FieldFault[]): FieldFault[] {
  return [...new Map(faults.map((fault) => [fault.field, fault])).values()].slice(0, MAX_FAULTS);
}

/** Returns whether the object has exactly these own keys. */
function hasKeys(value: Given, keys: readonly string[]): boolean {
  const given = Object.keys(value);
  return given.length === keys.length && keys.every((key) => given.includes(key));
}
