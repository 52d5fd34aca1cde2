/**
 * Preload (`node --import`): the wall clock of a process is off by CHAOS_CLOCK_OFFSET_MS, its steady clocks
 * are right, as on a machine whose time was set wrong. Shifts what JavaScript sees; see clock.ts for more.
 */
const offsetMs = Number(process.env['CHAOS_CLOCK_OFFSET_MS'] ?? 0);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...args: unknown[]) {
    // Every form with arguments names its time itself; only the one without asks the clock.
    super(...((args.length === 0 ? [ShiftedDate.now()] : args) as [number]));
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

// `Date()` without `new` gives a text; libraries call it seldom, and it must not throw.
globalThis.Date = new Proxy(ShiftedDate, { apply: () => new ShiftedDate().toString() }) as unknown as DateConstructor;
