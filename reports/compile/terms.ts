/** What expressions of the registry are given. */
import type { Terms } from '../registry/index.ts';
import type { Build } from './build.ts';
import { localTime, type Span } from './period.ts';

/** What only the place of an expression knows; what is not given must not be asked for. */
export type Given = Partial<Pick<Terms, 'localTime' | 'told' | 'person' | 'reached' | 'bought'>>;

export function termsOf(build: Build, param: string, given: Given): Terms {
  const { period, request } = build;
  return {
    param,
    bind: build.bind,
    local: (utc) => localTime(utc, period.zone),
    source: `v.source_${request.attribution}`,
    money: (amount, currency) => money(build, amount, currency),
    get localTime() {
      return asked('localTime', given.localTime);
    },
    get told() {
      return asked('told', given.told);
    },
    get person() {
      return asked('person', given.person);
    },
    reached: (goal) => asked('reached', given.reached)(goal),
    bought: () => asked('bought', given.bought)(),
  };
}

/** The wall clock of a time that lies in a span. */
export function clockOf(build: Build, utc: string, span: Span): string {
  return localTime(utc, build.period.zone, span);
}

/** In the site's own currency exactly as it was told; of another one by its rate, to six places. */
function money({ bind, context: { site } }: Build, amount: string, currency: string): string {
  const rates = Object.entries(site.rates).filter(([other]) => other !== site.currency);
  const others = rates.map(
    ([other, rate]) =>
      `when ${bind(other)} then try_cast(round((${amount})::DOUBLE * ${bind(rate)}::DOUBLE, 6) as DECIMAL(24,6))`,
  );
  return `case ${currency} when ${bind(site.currency)} then try_cast(${amount} as DECIMAL(24,6)) ${others.join(' ')} end`;
}

function asked<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`${name} is asked for where there is none`);
  return value;
}
