/** Tests that several chapters on the analytics API reference. */
import { testsIn } from '../../rule.ts';

export const conversions = testsIn('api/analytics/conversions');
export const conversionForm = testsIn('api/analytics/conversionForm');
export const orders = testsIn('api/analytics/orders');
export const users = testsIn('api/analytics/users');
export const visitors = testsIn('api/analytics/visitors');
export const description = testsIn('api/analytics/description');
export const facts = testsIn('db/siteFacts/facts');
export const pendingFacts = testsIn('db/siteFacts/pending');
export const collect = testsIn('api/collect/collect');
export const events = testsIn('api/collect/events');
export const refusals = testsIn('api/collect/refusals');

const codes = testsIn('api/analytics/errorCodes');
const examples = testsIn('api/examples');

export const answers = (title: string, ...cases: string[]) => codes(`the codes of answers › ${title}`, ...cases);
export const limits = (title: string) => codes(`limits › ${title}`);
export const everyAnswer = (title: string) => codes(`every answer › ${title}`);
export const described = (operation: string) => examples('the example of › %s is answered as described', operation);

const FORM = 'a fault of form fails the whole request › %s';
export const refusedConversion = (...cases: string[]) => conversionForm(FORM, ...cases);
export const refusedOrder = (...cases: string[]) => orders(FORM, ...cases);
/** Cases are the beginnings of table rows: field and code. */
export const refusedUser = (...cases: string[]) =>
  users('POST /users › answers 422 for the whole request: %s %s', ...cases);
export const refusedVisitor = (...cases: string[]) =>
  visitors('POST /visitors/attributes › answers 422 for the whole request: %s %s', ...cases);

export const UNAUTHORIZED = 'unauthorized: no key, an unknown one, keys of other kinds, a key in the address';
export const FORBIDDEN = 'forbidden: %s, at once';
export const TWENTY =
  'rate_limited at once over 20 a second, which conversions, orders and users of a key share; with Retry-After';
export const FIFTY =
  'rate_limited over the 50 a second that attributes, visitors and network share, apart from what is written';
export const CHAOS = testsIn('whole/chaos')(
  'a stack whose processes are killed under load › loses nothing, doubles nothing, ends every item and delivers every webhook',
);

const reportsTest = testsIn('api/analytics/reports');
export const reports = (title: string) => reportsTest(`POST /reports › ${title}`);
/** Cases are the beginnings of table rows. */
export const reportFault = (...cases: string[]) =>
  reportsTest('a fault of the request › names its field: %s', ...cases.map((name) => `['${name}', {`));
export const otherReportFault = (title: string) => reportsTest(`a fault of the request › ${title}`);
export const reportLimits = (title: string) => testsIn('api/analytics/reportLimits')(`limits of reports › ${title}`);
export const wholeReports = (title: string) => testsIn('whole/reports')(`reports › ${title}`);
export const cabinetReports = (title: string) => testsIn('api/cabinet/reports')(title);
export const engines = (title: string) => testsIn('reports/engines/engines')(title);
